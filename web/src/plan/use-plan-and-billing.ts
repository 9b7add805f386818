import { useCallback, useState } from 'react';
import { useReloadWhenVisible } from '../api/use-reload-when-visible.ts';
import type { Billing } from './plan-news.ts';
import { useBilling } from './use-billing.ts';
import { usePlan } from './use-plan.ts';

/**
 * The plan of the signed-in user, and its billing at Stripe. While a payment is due or processing, or an
 * invoice is unpaid, both are read again when the user returns to the page: users change cards and pay
 * invoices on Stripe's pages, and Stripe charges on its own.
 */
export function usePlanAndBilling() {
  const { state, reading, reload: reloadPlan } = usePlan();
  const { billing, reload: reloadBilling } = useBilling();
  const [retried, setRetried] = useState(false);

  const reload = useCallback(() => {
    reloadPlan();
    reloadBilling();
  }, [reloadPlan, reloadBilling]);
  useReloadWhenVisible(isAwaitingPayment(billing), reload);

  return {
    state,
    billing,
    /** Whether the plan is being read again. */
    reading,
    reloadPlan,
    reloadBilling,
    /** Called when the user presses the button, which disappears once the plan is read. */
    retryPlan: () => {
      setRetried(true);
      reloadPlan();
    },
    /** Whether the plan has replaced that button, which had the focus. */
    takesFocus: retried && state.kind === 'known',
  };
}

function isAwaitingPayment(billing: Billing): boolean {
  if (billing.kind !== 'known') return false;
  const { subscription, purchase } = billing.overview;
  if (purchase?.payment === 'processing') return true;
  return subscription !== null && (subscription.paymentDue || subscription.status === 'unpaid');
}
