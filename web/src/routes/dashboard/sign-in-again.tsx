import { useState } from 'react';
import { signInAgain } from '../../session/own-account.ts';
import type { User } from '../../session/session.ts';
import { useProvider } from './use-provider.ts';
import styles from './dashboard.module.css';

/** Lets a user without a password confirm their identity by signing in again. */
export function SignInAgain({ user }: { user: User }) {
  const provider = useProvider(user);
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    if (leaving) return;
    setLeaving(true);
    void signInAgain('/dashboard#delete-account').catch(() => setLeaving(false));
  };
  return (
    <button type="button" className={styles.TextButton} aria-busy={leaving} onClick={leave}>
      Sign in again with {provider}
    </button>
  );
}
