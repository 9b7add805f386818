import { PageLink } from '../page-link.tsx';
import styles from './account.module.css';

/** Stands under the last button of the pages that can create an account. */
export const Agreement = () => (
  <p className={styles.Small}>
    By continuing, you agree to our <PageLink to="/terms">Terms</PageLink> and{' '}
    <PageLink to="/privacy">Privacy Policy</PageLink>.
  </p>
);
