import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Billing } from '../adapters/stripe/stripe-billing.ts';
import { duplicatesIn, keptSubscription } from '../domain/decide-plan.ts';
import { runsUnpaid, mayHaveOpenInvoices, type Subscription } from '../domain/subscription.ts';
import { log } from '../runtime/log.ts';

export const areSettled = (subscriptions: readonly Subscription[], row: UserPlan): boolean =>
  duplicatesIn(subscriptions, row).length === 0 &&
  !subscriptions.some((subscription) => mustVoidInvoices(subscription, row) || mustEnd(subscription, row));

// Subscriptions that support made in Stripe are left to support, unless the user has canceled them.
const isUsers = ({ userId, ended }: Subscription, row: UserPlan) => userId === row.id || ended === 'declined';

const mustVoidInvoices = (subscription: Subscription, row: UserPlan): boolean =>
  mayHaveOpenInvoices(subscription) && isUsers(subscription, row);

const mustEnd = (subscription: Subscription, row: UserPlan): boolean =>
  runsUnpaid(subscription) && isUsers(subscription, row);

/**
 * Refunds and cancels the user's duplicates, cancels subscriptions that run unpaid, and voids the open
 * invoices of ended ones. Safe to repeat; usually sends no request. A failure doesn't stop the other steps.
 * `row`: as read before the subscriptions.
 */
export async function settleSubscriptions(
  billing: Billing,
  subscriptions: readonly Subscription[],
  row: UserPlan,
) {
  const kept = keptSubscription(subscriptions, row);
  const duplicates = new Set(duplicatesIn(subscriptions, row));
  const failures: { step: 'refund' | 'void'; error: unknown }[] = [];
  const settled: Subscription[] = [];
  for (const before of subscriptions) {
    let subscription = before;
    let step: 'refund' | 'void' = 'refund';
    try {
      if (duplicates.has(before)) {
        subscription = await billing.refundAndCancel(before, kept?.createdAt);
        log.info('duplicate-refunded', { user: row.id, subscription: subscription.id });
      }
      step = 'void';
      if (mustEnd(subscription, row)) subscription = await billing.cancelUnpaid(subscription);
      if (mustVoidInvoices(subscription, row)) subscription = await billing.voidInvoices(subscription);
    } catch (error) {
      failures.push({ step, error });
      // It may be refunded or marked now: the next decision in this request must not be based on it.
      if (step === 'refund') subscription = { ...before, ended: before.ended ?? 'duplicate', refund: 'due' };
    }
    settled.push(subscription);
  }
  return { subscriptions: settled, failures };
}
