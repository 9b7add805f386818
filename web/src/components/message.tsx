import type { ReactNode } from 'react';
import styles from './message.module.css';

interface MessageProps {
  title: string;
  /** What there is to press, most likely first. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A page that says one thing and offers what to do next. */
export function Message({ title, actions, children }: MessageProps) {
  return (
    <section className={styles.Message}>
      <h1>{title}</h1>
      {children}
      {actions && <div className={styles.Actions}>{actions}</div>}
    </section>
  );
}
