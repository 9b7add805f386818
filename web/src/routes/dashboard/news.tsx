import { type ReactNode, useId } from 'react';
import styles from './news.module.css';

interface NewsProps {
  title: string;
  tone: 'plain' | 'success' | 'danger';
  /** Buttons and links. */
  actions?: ReactNode;
  children: ReactNode;
}

/** What has happened to the plan, and what to do about it. */
export function News({ title, tone, actions, children }: NewsProps) {
  const id = useId();
  return (
    <section className={styles.News} data-tone={tone} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {actions && <div className={styles.Actions}>{actions}</div>}
    </section>
  );
}
