import { PageLink } from '../page-link.tsx';

/** Stands under the last button of the pages that can create an account. */
export const Agreement = () => (
  <p data-facts>
    By continuing, you agree to our <PageLink to="/terms">Terms</PageLink> and{' '}
    <PageLink to="/privacy">Privacy Policy</PageLink>.
  </p>
);
