import { type ReactNode, useId } from 'react';
import styles from './dashboard.module.css';

interface CardProps {
  title: string;
  /** Beside the title. */
  badge?: ReactNode;
  children: ReactNode;
}

export function Card({ title, badge, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.Card} aria-labelledby={id}>
      <div className={styles.Title}>
        <h2 id={id}>{title}</h2>
        {badge && <span className={styles.Badge}>{badge}</span>}
      </div>
      {children}
    </section>
  );
}
