import { useEffect, useState } from 'react';
import type { Billing } from './plan-news.ts';
import { useBilling } from './use-billing.ts';
import { usePlan } from './use-plan.ts';

/**
 * The plan of the signed-in user, and what Stripe has of it. While a payment is due or an invoice unpaid,
 * both are read again when the user comes back to the page: cards are changed and invoices paid on Stripe's
 * pages, and Stripe charges by itself.
 */
export function usePlanAndBilling() {
  const { state, reading, reload: reloadPlan } = usePlan();
  const { billing, reload: reloadBilling } = useBilling();
  const [retried, setRetried] = useState(false);

  const changesAtStripe = isAwaitingPayment(billing);
  useEffect(() => {
    if (!changesAtStripe) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState !== 'visible') return;
      reloadPlan();
      reloadBilling();
    };
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => document.removeEventListener('visibilitychange', reloadIfVisible);
  }, [changesAtStripe, reloadPlan, reloadBilling]);

  return {
    state,
    billing,
    /** Whether the plan is read again. */
    reading,
    reloadPlan,
    reloadBilling,
    /** For the user's own press of a button, which is gone once the plan is read. */
    retryPlan: () => {
      setRetried(true);
      reloadPlan();
    },
    /** Whether the plan has come in the place of that button, which had the focus. */
    takesFocus: retried && state.kind === 'known',
  };
}

function isAwaitingPayment(billing: Billing): boolean {
  const subscription = billing.kind === 'known' ? billing.overview.subscription : null;
  return subscription !== null && (subscription.paymentDue || subscription.status === 'unpaid');
}
