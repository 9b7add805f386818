import { type ReactNode, useEffect, useRef } from 'react';
import '../../styles/account.css';
import styles from './account.module.css';

interface AccountLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Where else one may want to go from here. */
  footer?: ReactNode;
  /** Whether it takes the place of another at the same address, and what had the focus is gone. */
  inPlace?: boolean;
}

export function AccountLayout({ title, lead, children, footer, inPlace = false }: AccountLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (inPlace) heading.current?.focus();
  }, [inPlace]);
  return (
    <div className={styles.Account}>
      <div className={styles.Head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {children}
      {footer && <div className={styles.Foot}>{footer}</div>}
    </div>
  );
}
