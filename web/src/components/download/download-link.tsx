import { type ComponentType, lazy, type MouseEvent, Suspense, useState } from 'react';
import { downloadUrl, requirements } from 'virtual:content/download';
import { product } from '../../../../schemas/product/product.ts';
import { buttonProps, type ButtonVariant } from '../button.tsx';
import styles from './download-link.module.css';
import type { DownloadPopupProps } from './download-popup.tsx';

// Every page has this link, and few visitors press it. The download itself works without the popup.
const DownloadPopup = lazy<ComponentType<DownloadPopupProps>>(() =>
  import('./download-popup.tsx').catch(() => ({ default: () => null })),
);

interface DownloadLinkProps extends ButtonVariant {
  /** A link without the look of a button. */
  plain?: boolean;
  /** Leaves out the requirements and the option to send the link elsewhere. */
  alone?: boolean;
}

/**
 * Starts the download and shows the next steps. The app's requirements are below. A phone, which can't run
 * the app, offers to send the link to another device. The parts are side by side in a container that wraps.
 */
export function DownloadLink({ plain = false, alone = plain, ...variant }: DownloadLinkProps) {
  const [popup, setPopup] = useState<'open' | 'closed'>();
  return (
    <>
      {/* The new tab closes itself once the download starts, and this page stays with its steps. */}
      <a
        {...(plain ? {} : buttonProps(variant))}
        href={downloadUrl}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => setPopup('open')}
      >
        Download for Mac
      </a>
      {popup && (
        <Suspense>
          <DownloadPopup open={popup === 'open'} onClose={() => setPopup('closed')} send={<SendLink />} />
        </Suspense>
      )}
      {!alone && (
        <>
          <SendLink {...variant} tone="secondary" />
          <p className={styles.Requirements} data-facts>
            {requirements}
          </p>
        </>
      )}
    </>
  );
}

const shared = { title: `${product.name} for Mac`, url: product.siteOrigin };
const mail = `mailto:?subject=${encodeURIComponent(shared.title)}&body=${encodeURIComponent(shared.url)}`;

function SendLink(variant: ButtonVariant) {
  const { className, ...props } = buttonProps(variant);
  return (
    <a {...props} className={`${className} ${styles.Send}`} href={mail} onClick={share}>
      Send me the link
    </a>
  );
}

/** Opens the share sheet, if there is one, in place of a mail. Neither tells us an address. */
function share(event: MouseEvent): void {
  if (!('share' in navigator)) return;
  event.preventDefault();
  // `share` also rejects if the user closes the sheet.
  navigator.share(shared).catch(() => {});
}
