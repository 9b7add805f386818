import { type ReactNode, useId } from 'react';
import styles from './dashboard.module.css';

interface SettingProps {
  title: string;
  /** What it does, and what it leaves alone. */
  about: ReactNode;
  /** What an address can lead to it by. */
  anchor?: string;
  children?: ReactNode;
}

/** One thing that can be done to the account. */
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
