import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { takingFocus } from './page/page-header.tsx';

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title: string;
  badge?: ReactNode;
  /** Set if the content replaces the button that had the focus. */
  takesFocus?: boolean;
}

export function Card({ title, badge, takesFocus = false, className = '', children, ...props }: CardProps) {
  const id = useId();
  return (
    <section {...props} className={`${styles.Card} ${className}`} data-stack="5" aria-labelledby={id}>
      <div className={styles.Title}>
        <h2 id={id} {...(takesFocus && takingFocus)}>
          {title}
        </h2>
        {badge && <Badge>{badge}</Badge>}
      </div>
      {children}
    </section>
  );
}

export const Badge = ({ children }: { children: ReactNode }) => (
  <span className={styles.Badge}>{children}</span>
);
