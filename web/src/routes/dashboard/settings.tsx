import { type ReactNode, useId, useState } from 'react';
import { LatestResult } from './latest-result.ts';
import styles from './settings.module.css';

/** The rows with which users change the account. */
export function Settings({ children }: { children: ReactNode }) {
  const id = useId();
  const latest = useState<string | null>(null);
  return (
    <section className={styles.Settings} aria-labelledby={id}>
      <h2 id={id}>Settings</h2>
      <LatestResult value={latest}>{children}</LatestResult>
    </section>
  );
}
