import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** A line above the title, such as the date of an article. */
  facts?: ReactNode;
  /** A sentence or two that introduce the page. */
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
      <h1 {...(takesFocus && { ref: focus, tabIndex: -1 })}>{title}</h1>
      {lead && <p className={styles.Lead}>{lead}</p>}
      {children}
    </header>
  );
}

function focus(heading: HTMLHeadingElement | null): void {
  heading?.focus();
}
