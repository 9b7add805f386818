import type { ReactNode } from 'react';
import styles from '../dashboard.module.css';

/** The dates of an account. */
export function AccountDates({ created, lastSignIn }: { created: ReactNode; lastSignIn: ReactNode }) {
  return (
    <dl className={styles.Dates}>
      <div>
        <dt>Account created</dt>
        <dd>{created}</dd>
      </div>
      <div>
        <dt>Last sign-in</dt>
        <dd>{lastSignIn}</dd>
      </div>
    </dl>
  );
}
