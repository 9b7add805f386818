import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page/page-header.tsx';
import styles from './top.module.css';

/** The start of the dashboard. `name`: the user's, after a comma. */
export const Top = ({ name }: { name: ReactNode }) => (
  <PageHeader title={<>Welcome{name}</>} className={styles.Top} />
);
