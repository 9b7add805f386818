import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { product } from '../../../../schemas/product.ts';
import { buttonProps } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';

/** Passes the query of a finished sign-in to the desktop app, unchanged and only to its fixed address. */
export default function HitsPage() {
  const { search } = useLocation();
  const app = `${product.desktopCallback}${search}`;
  useEffect(() => {
    location.replace(app);
  }, [app]);
  return (
    <Message
      title="Authentication Complete"
      actions={
        <>
          <a {...buttonProps()} href={app}>
            Open {product.name}
          </a>
          {/* Without a query, there is no sign-in to pass on. */}
          {search !== '' && <CopyButton value={app} label="Copy the link" />}
          <DownloadLink tone="secondary" />
        </>
      }
    >
      <Notice tone="success">{product.name} opens by itself. You can close this tab then.</Notice>
      <p>
        If it doesn’t open, press Open {product.name}
        {search !== '' && `, or copy the link and paste it into ${product.name}`}. If it isn’t on this Mac
        yet, download it, start it, and sign in again from there.
      </p>
    </Message>
  );
}
