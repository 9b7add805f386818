import { type ReactNode, useId } from 'react';
import styles from './settings.module.css';

/** The rows with which users change the account. */
export function Settings({ children }: { children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.Settings} aria-labelledby={id}>
      <h2 id={id}>Settings</h2>
      {children}
    </section>
  );
}
