import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Offer } from '../../../../schemas/product/offers.ts';
import { intervalWords } from '../../../../schemas/product/price.ts';
import { PageHeader } from '../page/page-header.tsx';
import { PageLayout } from '../page/page-layout.tsx';
import styles from './checkout.module.css';

// Set by web/build/refund-words.ts.
const refunds = import.meta.env.REFUNDS;

interface CheckoutLayoutProps {
  offer: Offer;
  email: ReactNode;
  /** Shown above the form. */
  notice?: ReactNode;
  /** The card form, or a placeholder while it loads. */
  children: ReactNode;
  /** The link that leaves the checkout. */
  cancel: ReactNode;
  /** Whether the server is asked if the user can buy this: until then, nothing is promised. */
  asking?: boolean;
}

/** The checkout of an offer. Nothing but the footer is below the form, whose height only Stripe knows. */
export function CheckoutLayout({
  offer,
  email,
  notice,
  children,
  cancel,
  asking = false,
}: CheckoutLayoutProps) {
  const { name, price, period, interval } = offer;
  return (
    <PageLayout className={styles.Checkout} data-asking={asking}>
      <div className={styles.Top}>
        <PageHeader title="Complete Your Purchase" className={styles.Head}>
          <p className={styles.Lead}>You're upgrading to {name}</p>
          <div data-quiet>
            for <strong>{email}</strong>
          </div>
        </PageHeader>
        {cancel}
      </div>
      <p className={styles.Terms} data-facts>
        {price} {period}: today, and then on this day of {intervalWords[interval].every}, until you cancel on
        the <Link to="/pricing">pricing page</Link> or <Link to="/end-contract">without signing in</Link>. You
        keep {name} for the time you've paid for. {refunds}, unless the service failed for at least 30
        consecutive days. By buying, you accept the <Link to="/terms">terms</Link>.
      </p>
      {notice}
      <div className={styles.Frame}>{children}</div>
    </PageLayout>
  );
}
