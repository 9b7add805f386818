import { useState } from 'react';
import { product } from '../../../../schemas/product.ts';
import { buttonProps, type ButtonVariant } from '../button.tsx';
import { DownloadPopup } from './download-popup.tsx';

/** Starts the download and shows what to do next. `plain` is a link without the look of a button. */
export function DownloadLink({ plain = false, ...variant }: ButtonVariant & { plain?: boolean }) {
  const [started, setStarted] = useState(false);
  return (
    <>
      {/* The new tab closes itself once the download starts, and this page stays with its steps. */}
      <a
        {...(plain ? {} : buttonProps(variant))}
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
