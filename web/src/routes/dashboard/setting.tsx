import { type ReactNode, useId } from 'react';
import styles from './dashboard.module.css';

interface SettingProps {
  title: string;
  /** What the setting changes, and what it doesn't. */
  about: ReactNode;
  /** Id for links to this setting. */
  anchor?: string;
  children?: ReactNode;
}

/** A section of the dashboard with one action on the account. */
export function Setting({ title, about, anchor, children }: SettingProps) {
  const id = useId();
  return (
    <section className={styles.Setting} id={anchor} aria-labelledby={id}>
      <div className={styles.About}>
        <h2 id={id}>{title}</h2>
        <p>{about}</p>
      </div>
      <div className={styles.Controls}>{children}</div>
    </section>
  );
}
