import type { ComponentProps } from 'react';
import styles from './page.module.css';

interface PageLayoutProps extends ComponentProps<'div'> {
  as?: 'div' | 'article' | 'section';
  /** A form's page is narrow, with a quieter header. */
  kind?: 'form';
}

/** The column that holds a page's content: its width, its margins and the gap between its parts. */
export function PageLayout({ as: Element = 'div', kind, className = '', ...props }: PageLayoutProps) {
  return <Element className={`${styles.Page} ${className}`} data-stack="6" data-kind={kind} {...props} />;
}
