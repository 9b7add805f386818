import type { ReactNode } from 'react';
import { plans } from '../../../../schemas/product.ts';
import { PageHeader } from '../page/page-header.tsx';
import { PageLayout } from '../page/page-layout.tsx';
import styles from './checkout.module.css';

interface CheckoutLayoutProps {
  /** The user's address. */
  email: ReactNode;
  /** The card form, or a placeholder while it loads. */
  children: ReactNode;
  /** The link that leaves the checkout. */
  cancel: ReactNode;
}

/** The checkout of Plus. Nothing but the footer is below the form, whose height only Stripe knows. */
export function CheckoutLayout({ email, children, cancel }: CheckoutLayoutProps) {
  return (
    <PageLayout className={styles.Checkout}>
      <div className={styles.Top}>
        <PageHeader title="Complete Your Purchase" className={styles.Head}>
          <p className={styles.Lead}>You're upgrading to {plans.plus.name}</p>
          <div className={styles.Buyer}>{email}</div>
        </PageHeader>
        {cancel}
      </div>
      <div className={styles.Frame}>{children}</div>
    </PageLayout>
  );
}
