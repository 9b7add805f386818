import { useCallback, useState } from 'react';
import { useReloadWhenVisible } from '../api/use-reload-when-visible.ts';
import { useBilling } from './use-billing.ts';
import { usePlan } from './use-plan.ts';

/**
 * The plan of the signed-in user, and its billing at Stripe. Both are read again when the user returns to the
 * page: users buy and cancel in other tabs, and pay invoices on Stripe's pages. Stripe charges on its own.
 */
export function usePlanAndBilling() {
  const { state, reading, reload: reloadPlan } = usePlan();
  const { billing, reload: reloadBilling } = useBilling();
  const [retried, setRetried] = useState(false);

  const reload = useCallback(() => {
    reloadPlan();
    reloadBilling();
  }, [reloadPlan, reloadBilling]);
  useReloadWhenVisible(state.kind !== 'visitor', reload);

  return {
    state,
    billing,
    /** Whether the plan is being read again. */
    reading,
    reloadPlan,
    reloadBilling,
    /** Called when the user presses a button that disappears once plan and billing are read. */
    retryPlan: () => {
      setRetried(true);
      reload();
    },
    /** Whether the plan has replaced that button, which had the focus. */
    takesFocus: retried && state.kind === 'known',
  };
}
