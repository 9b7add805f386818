import { useState } from 'react';
import { signInAgain } from '../../../account/fresh-sign-in.ts';
import type { User } from '../../../session/session.ts';
import { providerName } from './provider-name.ts';
import styles from '../settings.module.css';

/** Lets a user without a password confirm their identity by signing in again, and return to `path`. */
export function SignInAgain({ user, path }: { user: User; path: string }) {
  const provider = providerName(user);
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    if (leaving) return;
    setLeaving(true);
    void signInAgain(user, path).catch(() => setLeaving(false));
  };
  return (
    <button type="button" className={styles.TextButton} aria-busy={leaving} onClick={leave}>
      Sign in again with {provider}
    </button>
  );
}
