import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { appCodeIn } from '../../../../schemas/app-code.ts';
import { product } from '../../../../schemas/product/product.ts';
import { buttonProps } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import styles from './hits.module.css';

/**
 * Passes the query of a finished sign-in to the desktop app, unchanged and only to its fixed address. Shows a
 * code of ours, for users whose browser doesn't open the app.
 */
export default function HitsPage() {
  const { search } = useLocation();
  const app = `${product.desktopCallback}${search}`;
  const code = appCodeIn(new URLSearchParams(search).get('code') ?? '');
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
          {code && <CopyButton value={code} label="Copy the code" />}
          {/* Without a query, there is no sign-in to pass on. */}
          {!code && search !== '' && <CopyButton value={app} label="Copy the link" />}
          <DownloadLink tone="secondary" />
        </>
      }
    >
      <Notice tone="success">{product.name} opens automatically. Then you can close this tab.</Notice>
      <p>
        If it doesn’t open, press Open {product.name}
        {code && ', or type this code into it within four minutes:'}
        {!code && (search === '' ? '.' : `, or copy the link and paste it into ${product.name}.`)}
      </p>
      {code && <Code code={code} />}
      <p>If {product.name} isn’t on this Mac yet, download it, start it, and sign in again from there.</p>
    </Message>
  );
}

/** In two halves, which are easier to type. A hyphen doesn't count. */
function Code({ code }: { code: string }) {
  return (
    <>
      <p>
        <code className={styles.Code}>{`${code.slice(0, 5)}-${code.slice(5)}`}</code>
      </p>
      <p>
        Type it into {product.name} on this computer only, and share it with nobody: anyone who has it can
        sign in as you.
      </p>
    </>
  );
}
