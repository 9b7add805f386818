import { useEffect, useState } from 'react';
import { providerCode } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { usePageRestored } from '../page/page-restored.ts';
import { inAppPath } from '../../navigation/from-path.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { type ProviderKey, providers } from '../../../../schemas/product/providers.ts';
import { offeredProviders } from '../../account/offered-providers.ts';
import { lastWayIn, type WayIn } from '../../account/way-in.ts';
import { Button } from '../button.tsx';
import type { AccountFormHandle } from './use-account-form.ts';
import { providerMarks } from './provider-marks.tsx';
import styles from './social-sign-in.module.css';

interface SocialSignInProps {
  form: AccountFormHandle;
  on: '/login' | '/signup';
}

const lastUsed = <span className={styles.LastUsed}>Last used</span>;

/** Signs in through a provider. The same step signs up a new user. The form shows a refusal. */
export function SocialSignIn({ form, on }: SocialSignInProps) {
  const { from } = useCameFrom();
  const [leaving, setLeaving] = useState<ProviderKey | null>(null);

  const [last, setLast] = useState<WayIn>();

  usePageRestored(() => setLeaving(null));
  useEffect(() => {
    if (on === '/login') void lastWayIn().then(setLast);
  }, [on]);

  const leave = async (provider: ProviderKey) => {
    form.edit();
    setLeaving(provider);
    const { message } = await withCode(providerCode, ({ signInWithProvider }) =>
      signInWithProvider(provider, inAppPath(from), on),
    );
    setLeaving(null);
    form.refuse(message);
  };

  if (offeredProviders.length === 0) return null;
  return (
    <div className={styles.SocialSignIn} data-stack="3">
      {offeredProviders.map((provider) => (
        <Button
          key={provider}
          tone="secondary"
          wide
          aria-busy={leaving === provider}
          onClick={() => {
            if (leaving === null) void leave(provider);
          }}
        >
          {providerMarks[provider]}
          Continue with {providers[provider].name}
          {last === provider && lastUsed}
        </Button>
      ))}
      <p className={styles.Or}>
        <span className={styles.Way}>or {last === 'password' && lastUsed}</span>
      </p>
    </div>
  );
}
