import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { duplicatesIn } from '../domain/decide-plan.ts';
import { isNeverPaid, mayHaveOpenInvoices, type Subscription } from '../domain/subscription.ts';
import { log } from '../runtime/log.ts';

/** Whether `settleSubscriptions` has nothing to do. */
export const areSettled = (subscriptions: readonly Subscription[], row: UserPlan): boolean =>
  duplicatesIn(subscriptions, row).length === 0 &&
  !subscriptions.some((subscription) => mustVoidInvoices(subscription, row) || mustEnd(subscription, row));

// What support made in Stripe is left to support.
const mustVoidInvoices = (subscription: Subscription, row: UserPlan): boolean =>
  mayHaveOpenInvoices(subscription) && subscription.userId === row.id;

const mustEnd = (subscription: Subscription, row: UserPlan): boolean =>
  isNeverPaid(subscription) && subscription.userId === row.id;

/** All subscriptions as they are after settling, and what failed. */
export interface Settled {
  subscriptions: readonly Subscription[];
  failures: readonly { step: 'refund' | 'void'; error: unknown }[];
}

/**
 * Refunds and cancels the user's duplicates, cancels what was never paid, and voids what ended subscriptions
 * left to be collected. Each happens once in a subscription's life; usually nothing is asked of Stripe. Safe
 * to repeat. A failure stops nothing else.
 *
 * `row` is the row that was read before the subscriptions.
 */
export async function settleSubscriptions(
  billing: Pick<Billing, 'refundAndCancel' | 'cancelUnpaid' | 'voidInvoices'>,
  subscriptions: readonly Subscription[],
  row: UserPlan,
): Promise<Settled> {
  const duplicates = new Set(duplicatesIn(subscriptions, row));
  const failures: { step: 'refund' | 'void'; error: unknown }[] = [];
  const settled: Subscription[] = [];
  for (const before of subscriptions) {
    let subscription = before;
    let step: 'refund' | 'void' = 'refund';
    try {
      if (duplicates.has(before)) {
        subscription = await billing.refundAndCancel(before);
        log.info('duplicate-refunded', { user: row.id, subscription: subscription.id });
      }
      step = 'void';
      if (mustEnd(subscription, row)) subscription = await billing.cancelUnpaid(subscription);
      if (mustVoidInvoices(subscription, row)) subscription = await billing.voidInvoices(subscription);
    } catch (error) {
      failures.push({ step, error });
      // It may be refunded or marked by now. The next decision in this request must not be based on it.
      if (step === 'refund' && duplicates.has(before)) subscription = { ...before, duplicate: 'found' };
    }
    settled.push(subscription);
  }
  return { subscriptions: settled, failures };
}
