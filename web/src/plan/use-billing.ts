import { useEffect } from 'react';
import type { BillingOverview } from '../../../schemas/billing.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';

export type Billing =
  | { kind: 'loading' }
  | { kind: 'known'; overview: BillingOverview }
  | { kind: 'unread'; sentence: string };

const LOADING: Billing = { kind: 'loading' };

/**
 * The user's subscription and invoices. While a payment is due they are read again when the user comes back
 * to the page, since cards are changed and invoices paid on Stripe's pages.
 */
export function useBilling(userId: string): { billing: Billing; reload: () => void } {
  const { state, reload } = useLoad(userId, readBilling);
  // A known overview still shows while it is read again. After a failure, that it loads shows.
  const isShown = state.kind === 'loaded' && (!state.reloading || state.value.kind === 'known');
  const billing = isShown ? state.value : LOADING;

  const isDue = billing.kind === 'known' && billing.overview.subscription?.status === 'past_due';
  useEffect(() => {
    if (!isDue) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => document.removeEventListener('visibilitychange', reloadIfVisible);
  }, [isDue, reload]);

  return { billing, reload };
}

async function readBilling(): Promise<Billing> {
  const answer = await call('billing');
  return answer.ok
    ? { kind: 'known', overview: answer.value }
    : { kind: 'unread', sentence: answer.sentence };
}
