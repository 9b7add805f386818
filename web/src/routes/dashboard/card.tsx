import { type ReactNode, useId } from 'react';
import styles from './dashboard.module.css';

interface CardProps {
  title: string;
  /** A badge beside the title. */
  badge?: ReactNode;
  /** Set if the content replaces the button that had the focus. */
  takesFocus?: boolean;
  children: ReactNode;
}

export function Card({ title, badge, takesFocus = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.Card} aria-labelledby={id}>
      <div className={styles.Title}>
        <h2 id={id} {...(takesFocus && { ref: focus, tabIndex: -1 })}>
          {title}
        </h2>
        {badge && <span className={styles.Badge}>{badge}</span>}
      </div>
      {children}
    </section>
  );
}

function focus(heading: HTMLHeadingElement | null): void {
  heading?.focus();
}
