import type { ReactNode } from 'react';
import { PageHeader } from '../page/page-header.tsx';
import { PageLayout } from '../page/page-layout.tsx';
import styles from './account.module.css';

interface AccountLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** Set if this layout replaces another at the same address. */
  takesFocus?: boolean;
}

export function AccountLayout({ title, lead, children, footer, takesFocus = false }: AccountLayoutProps) {
  return (
    <PageLayout kind="form">
      <PageHeader title={title} lead={lead} takesFocus={takesFocus} />
      {children}
      {footer && (
        <div className={styles.Foot} data-stack="4">
          {footer}
        </div>
      )}
    </PageLayout>
  );
}
