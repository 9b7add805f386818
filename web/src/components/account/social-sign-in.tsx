import { type ReactNode, useState } from 'react';
import { usePageRestored } from '../../app/page-restored.ts';
import { inAppPath } from '../../navigation/from-path.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import type { Provider } from '../../../../schemas/product/providers.ts';
import { withProviderCode } from '../../account/account-code.ts';
import { Button } from '../button.tsx';
import { Agreement } from './agreement.tsx';
import type { AccountFormHandle } from './use-account-form.ts';
import { GitHubMark, GoogleMark } from './provider-marks.tsx';
import styles from './social-sign-in.module.css';

const marks: Record<Provider, ReactNode> = { Google: <GoogleMark />, GitHub: <GitHubMark /> };

// Set by web/build/offered-providers.ts.
const offered = import.meta.env['PROVIDERS'] as readonly Provider[];

interface SocialSignInProps {
  form: AccountFormHandle;
  /** The page. */
  on: '/login' | '/signup';
}

/** Signs in through a provider. The same step signs up a new user. The form shows a refusal. */
export function SocialSignIn({ form, on }: SocialSignInProps) {
  const { from } = useCameFrom();
  const [leaving, setLeaving] = useState<Provider | null>(null);

  usePageRestored(() => setLeaving(null));

  const leave = async (provider: Provider) => {
    form.edit();
    setLeaving(provider);
    const { message } = await withProviderCode(({ signInWithProvider }) =>
      signInWithProvider(provider, inAppPath(from), on),
    );
    setLeaving(null);
    form.refuseAlternative(message);
  };

  if (offered.length === 0) return on === '/signup' && <Agreement on={on} />;
  return (
    <div className={styles.SocialSignIn}>
      <Agreement on={on} />
      {offered.map((name) => (
        <Button
          key={name}
          tone="secondary"
          wide
          aria-busy={leaving === name}
          onClick={() => {
            if (leaving === null) void leave(name);
          }}
        >
          {marks[name]}
          Continue with {name}
        </Button>
      ))}
      <p className={styles.Or}>or</p>
    </div>
  );
}
