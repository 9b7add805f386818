import type { ReactNode } from 'react';
import styles from './message.module.css';
import { PageHeader } from './page/page-header.tsx';
import { PageLayout } from './page/page-layout.tsx';

interface MessageProps {
  title: string;
  /** Buttons and links, the most likely first. */
  actions?: ReactNode;
  /** Set where the message replaces a form that had the focus. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** A page that is a short message with what to do next. */
export function Message({ title, actions, takesFocus = false, children }: MessageProps) {
  return (
    <PageLayout as="section" className={styles.Message}>
      <PageHeader title={title} takesFocus={takesFocus} />
      {children}
      {actions && <div className={styles.Actions}>{actions}</div>}
    </PageLayout>
  );
}
