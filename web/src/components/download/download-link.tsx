import { useState } from 'react';
import { product } from '../../../../schemas/product.ts';
import { buttonProps, type Look } from '../button.tsx';
import { DownloadPopup } from './download-popup.tsx';

/** Starts the download and says what to do with it. `plain` is a link among links, without the look of a button. */
export function DownloadLink({ plain = false, ...look }: Look & { plain?: boolean }) {
  const [started, setStarted] = useState(false);
  return (
    <>
      {/* In a tab of its own, which closes itself once the download starts: this page, and the steps on it, stay. */}
      <a
        {...(plain ? {} : buttonProps(look))}
        href={product.downloadUrl}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => setStarted(true)}
      >
        Download for Mac
      </a>
      <DownloadPopup open={started} onClose={() => setStarted(false)} />
    </>
  );
}
