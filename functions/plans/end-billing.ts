import { customerIdOf } from '../domain/plan.ts';
import { hasEnded } from '../domain/subscription.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { settleSubscriptions } from './settle-subscriptions.ts';

export type EndBillingDependencies = Pick<
  Billing,
  'expireCheckout' | 'subscriptionsOf' | 'refundAndCancel' | 'cancelNow' | 'voidInvoices' | 'deleteCustomer'
>;

/**
 * Ends everything that is billed to the user of a closed row: expires the open checkout, refunds duplicates,
 * cancels the subscriptions, voids what they owe, deletes the customer. Safe to repeat.
 *
 * Resolves with whether a subscription was still running.
 */
export async function endBilling(billing: EndBillingDependencies, row: UserPlan): Promise<boolean> {
  if (row.checkout_session_id) await billing.expireCheckout(row.checkout_session_id);
  const customerId = customerIdOf(row);
  return customerId !== undefined && endCustomerBilling(billing, customerId, row);
}

/**
 * Ends the billing of one Stripe customer and deletes it. Resolves with whether a subscription was still
 * running.
 */
export async function endCustomerBilling(
  billing: Omit<EndBillingDependencies, 'expireCheckout'>,
  customerId: string,
  row: UserPlan,
): Promise<boolean> {
  const subscriptions = await billing.subscriptionsOf(customerId);
  const settled = await settleSubscriptions(billing, subscriptions, row);
  const running = settled.filter((subscription) => !hasEnded(subscription));
  for (const subscription of running) {
    await billing.cancelNow(subscription.id);
  }
  await billing.deleteCustomer(customerId);
  return running.length > 0;
}
