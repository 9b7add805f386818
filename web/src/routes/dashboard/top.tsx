import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page/page-header.tsx';
import styles from './top.module.css';

interface TopProps {
  /** The user's name, after a comma. */
  name: ReactNode;
  /** The first steps, beside the title. Without them the space stays, so that nothing moves. */
  children?: ReactNode;
}

/** The start of the dashboard. */
export const Top = ({ name, children }: TopProps) => (
  <div className={styles.Top}>
    <PageHeader title={<>Welcome{name}</>} className={styles.Head} />
    {children}
  </div>
);
