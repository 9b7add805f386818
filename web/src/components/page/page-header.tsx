import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** A line above the title, such as the date of an article. */
  facts?: ReactNode;
  lead?: ReactNode;
  /** Set if the header replaces content that had the focus, so that the new title is read out. */
  takesFocus?: boolean;
  className?: string | undefined;
  children?: ReactNode;
}

export function PageHeader({
  title,
  facts,
  lead,
  takesFocus = false,
  className = '',
  children,
}: PageHeaderProps) {
  return (
    <header className={`${styles.Header} ${className}`}>
      {facts}
      <h1 {...(takesFocus && takingFocus)}>{title}</h1>
      {lead && <p className={styles.Lead}>{lead}</p>}
      {children}
    </header>
  );
}

/** The props of an element that takes the focus as it appears. */
export const takingFocus = { ref: (element: HTMLElement | null) => element?.focus(), tabIndex: -1 };
