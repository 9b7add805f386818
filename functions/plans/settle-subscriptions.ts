import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { duplicatesIn } from '../domain/decide-plan.ts';
import { mayHaveOpenInvoices, type Subscription } from '../domain/subscription.ts';
import { log } from '../runtime/log.ts';

/** Whether `settleSubscriptions` has nothing to do. */
export const areSettled = (subscriptions: readonly Subscription[], row: UserPlan): boolean =>
  duplicatesIn(subscriptions, row).length === 0 &&
  !subscriptions.some((subscription) => mustVoidInvoices(subscription, row));

// What support made in Stripe is left to support.
const mustVoidInvoices = (subscription: Subscription, row: UserPlan): boolean =>
  mayHaveOpenInvoices(subscription) && subscription.userId === row.id;

/**
 * Refunds and cancels the user's duplicates, and voids the invoices that ended subscriptions left open. Each
 * happens once in a subscription's life; usually nothing is asked of Stripe. Safe to repeat.
 *
 * `row` is the row that was read before the subscriptions. Resolves with all subscriptions as they are
 * afterwards.
 */
export async function settleSubscriptions(
  billing: Pick<Billing, 'refundAndCancel' | 'voidInvoices'>,
  subscriptions: readonly Subscription[],
  row: UserPlan,
): Promise<readonly Subscription[]> {
  const duplicates = new Set(duplicatesIn(subscriptions, row));
  const settled: Subscription[] = [];
  for (const before of subscriptions) {
    let subscription = before;
    if (duplicates.has(before)) {
      subscription = await billing.refundAndCancel(before);
      log.info('duplicate-refunded', { user: row.id, subscription: subscription.id });
    }
    if (mustVoidInvoices(subscription, row)) subscription = await billing.voidInvoices(subscription);
    settled.push(subscription);
  }
  return settled;
}
