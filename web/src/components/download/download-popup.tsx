import { type ReactNode, useId } from 'react';
import { downloadUrl, requirements } from 'virtual:content/download';
import { product } from '../../../../schemas/product/product.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import styles from './download-popup.module.css';

const fileName = decodeURIComponent(downloadUrl.slice(downloadUrl.lastIndexOf('/') + 1));

const steps = [
  { title: 'Download complete', text: 'Wait until your browser says the download has finished.' },
  { title: 'Open the disk image', text: `Double-click ${fileName} in your Downloads folder.` },
  { title: 'Drag to Applications', text: `Drag ${product.name} onto the Applications folder next to it.` },
  {
    title: 'Launch',
    text: `Open ${product.name} from Applications. macOS will ask for the accessibility permission once.`,
  },
] as const;

export interface DownloadPopupProps {
  open: boolean;
  onClose: () => void;
  /** Sends the link to another device. Shown on a phone, where the steps can't be taken. */
  send: ReactNode;
}

export default function DownloadPopup({ open, onClose, send }: DownloadPopupProps) {
  const title = useId();
  return (
    <Dialog open={open} onClose={onClose} labelledBy={title}>
      <div className={styles.Content} data-stack="5">
        <h2 id={title}>Download Started!</h2>
        <div className={styles.Phone}>
          <p>
            {product.name} runs on a Mac, not on a phone or tablet. Send the link to your Mac, and open it
            there.
          </p>
          {send}
        </div>
        <ol className={styles.Steps} data-stack="4">
          {steps.map((step) => (
            <li key={step.title}>
              <h3 data-plain>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
        <p className={styles.Tip}>
          <strong>Dock tip:</strong> while {product.name} runs, right-click its icon in the Dock and choose
          Options, Keep in Dock.
        </p>
        <p data-facts>{requirements}</p>
        <Button onClick={onClose} wide>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
