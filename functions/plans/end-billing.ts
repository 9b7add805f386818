import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { hasEnded } from '../domain/decide-plan.ts';
import { billingCustomer, settled } from './reconcile.ts';

/** What of Stripe it takes. */
export type Ending = Pick<
  Billing,
  'expireCheckout' | 'subscriptionsOf' | 'refundAndEnd' | 'endSubscription' | 'closeEnded' | 'deleteCustomer'
>;

/**
 * Ends for good what is billed to whoever a closed row is of: the open checkout can't be paid any more, what was paid twice
 * is given back, what runs is ended and what it owed made unpayable, the customer is deleted. Every step may be repeated. Resolves with whether there was something to end.
 */
export async function endBilling(billing: Ending, row: UserPlan): Promise<boolean> {
  if (row.checkout_session_id) await billing.expireCheckout(row.checkout_session_id);
  const customerId = billingCustomer(row);
  return customerId !== undefined && endCustomer(billing, customerId, row);
}

/** What belongs to one customer of Stripe's, who is deleted. Resolves with whether something ran. */
export async function endCustomer(
  billing: Omit<Ending, 'expireCheckout'>,
  customerId: string,
  row: UserPlan,
): Promise<boolean> {
  const all = await billing.subscriptionsOf(customerId);
  const running = (await settled(billing, all, row)).filter((one) => !hasEnded(one));
  for (const one of running) {
    await billing.endSubscription(one.id);
    await billing.closeEnded(one);
  }
  await billing.deleteCustomer(customerId);
  return running.length > 0;
}
