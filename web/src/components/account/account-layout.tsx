import type { ReactNode } from 'react';
import '../../styles/account.css';
import styles from './account.module.css';

interface AccountLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Where else one may want to go from here. */
  footer?: ReactNode;
}

export function AccountLayout({ title, lead, children, footer }: AccountLayoutProps) {
  return (
    <div className={styles.Account}>
      <div className={styles.Head}>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {children}
      {footer && <div className={styles.Foot}>{footer}</div>}
    </div>
  );
}
