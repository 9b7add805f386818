import { useState } from 'react';
import type { FormControl } from '../../../components/account/use-account-form.ts';
import { signInAgain } from '../../../account/fresh-sign-in.ts';
import type { User } from '../../../session/session.ts';
import { providerName } from './provider-name.ts';
import styles from '../settings.module.css';

interface SignInAgainProps {
  /** The form, which may have been refused for want of a fresh sign-in. */
  form: FormControl;
  user: User;
  path: string;
}

/** Lets a user without a password confirm their identity by signing in again, and return to `path`. */
export function SignInAgain({ form: { state }, user, path }: SignInAgainProps) {
  const provider = providerName(user);
  const [leaving, setLeaving] = useState(false);
  if (state.kind !== 'refused' || state.reason !== 'sign-in') return null;
  const leave = () => {
    if (leaving) return;
    setLeaving(true);
    void signInAgain(user, path).catch(() => setLeaving(false));
  };
  return (
    <button type="button" className={styles.TextButton} data-link aria-busy={leaving} onClick={leave}>
      Sign in again with {provider}
    </button>
  );
}
