import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import styles from './oauth-demo.module.css';

/** Parameters that an app may get, in the order shown. */
const PARAMETERS = ['access_token', 'refresh_token', 'error', 'error_description', 'state'];

interface Parameter {
  name: string;
  value: string;
}

/** The parameters in the relay's answer; null for any other query. */
export function receivedOf(query: URLSearchParams): Parameter[] | null {
  if (!query.has('access_token') && !query.has('error')) return null;
  return PARAMETERS.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [{ name, value }];
  });
}

export function Received({ received }: { received: readonly Parameter[] }) {
  const failed = received.some(({ name }) => name === 'error');
  return (
    <section className={styles.Received} data-stack="4" aria-labelledby="received">
      <h2 id="received">What your app received</h2>
      {failed ? (
        <Notice tone="danger">The sign-in failed, and the app has been told.</Notice>
      ) : (
        <Notice tone="success">
          The sign-in worked. The tokens belong to the app, and nothing of them is kept here.
        </Notice>
      )}
      <dl data-stack="4">
        {received.map((parameter) => (
          <Value key={parameter.name} {...parameter} />
        ))}
      </dl>
    </section>
  );
}

function Value({ name, value }: Parameter) {
  const secret = name.endsWith('_token');
  const [shown, setShown] = useState(!secret);
  return (
    <div data-stack="2">
      <dt>{name}</dt>
      <dd data-stack="2">
        <code data-masked={!shown}>{shown ? value : '••••••••••••••••'}</code>
        {secret && (
          <span data-actions>
            <Button
              tone="secondary"
              aria-label={`${shown ? 'Hide' : 'Show'} ${name}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton name={name} value={value} />
          </span>
        )}
      </dd>
    </div>
  );
}
