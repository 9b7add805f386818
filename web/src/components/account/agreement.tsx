import { OFFERED_NAMES } from '../../account/offered-providers.ts';
import { PageLink } from '../page-link.tsx';
import styles from './account.module.css';

/** Stands above the ways in which an account can be created. */
export const Agreement = ({ on }: { on: '/login' | '/signup' }) => (
  <p className={styles.Small}>
    {on === '/signup'
      ? 'By creating an account you agree to the '
      : `If you have no account yet, continuing with ${OFFERED_NAMES} creates one, and you agree to the `}
    <PageLink to="/terms">Terms of Service</PageLink> and the{' '}
    <PageLink to="/privacy">Privacy Policy</PageLink>.
  </p>
);
