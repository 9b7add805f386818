import type { ReactNode } from 'react';
import styles from './window.module.css';

/** A simple drawing of an app's window. */
export function Window({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.Window}>
      <p className={styles.Title}>
        <svg viewBox="0 0 34 8" width="34" height="8" aria-hidden="true">
          <path fill="currentColor" d="M0 0h8v8H0zM13 0h8v8h-8zM26 0h8v8h-8z" />
        </svg>
        {title}
      </p>
      <div className={styles.Body}>{children}</div>
    </div>
  );
}
