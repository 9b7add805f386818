import type { UserPlan } from '../../schemas/rows/plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import {
  hasEnded,
  isEntitling,
  isPaymentDue,
  renewsBeforeEnd,
  type Subscription,
} from '../domain/subscription.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { expireCheckouts } from './end-billing.ts';
import { reconcile, type ReconcileDependencies } from './reconcile.ts';

interface Suspension {
  /** Nothing is charged from here on. */
  since: Date;
  /** The cause that is logged with the plan. */
  trigger: string;
}

/**
 * Makes sure that nothing is charged to the user of a closed row, whose account waits for its deletion, in a
 * way that `resumeBilling` can take back: a paid subscription is set to end with its period. Expires open
 * checkouts. Ends at once, and for good, subscriptions whose payment is due, and those bought since the
 * deletion was requested. Refunds what was paid since. Safe to repeat.
 *
 * Resolves with whether a subscription was running. Throws if Stripe refuses a step, after the other steps.
 */
export async function suspendBilling(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  { since, trigger }: Suspension,
  now: Date,
): Promise<boolean> {
  const { billing } = dependencies;
  const unexpired = await expireCheckouts(billing, row);
  const customerId = customerIdOf(row);
  if (customerId === undefined) {
    if (unexpired.length > 0) throw unexpired[0];
    return false;
  }
  const subscriptions = (await billing.subscriptionsOf(customerId, row)).filter(
    (subscription) => !hasEnded(subscription),
  );
  const failures = await attemptAll([
    ...subscriptions.map((subscription) => () => suspend(billing, subscription, since)),
    () => billing.refundSince(customerId, row, since),
    // Also refunds and ends duplicates.
    () => reconcile(dependencies, row.id, now, { trigger }),
  ]);
  const [failure] = [...unexpired, ...failures];
  if (failure !== undefined) throw failure;
  return subscriptions.length > 0;
}

async function suspend(billing: Billing, subscription: Subscription, since: Date): Promise<void> {
  const { createdAt, duplicate } = subscription;
  if (duplicate) return;
  // Stripe counts in whole seconds.
  if (createdAt >= Math.floor(since.getTime() / 1000)) return billing.cancelNow(subscription);
  if (isEntitling(subscription) && !isPaymentDue(subscription)) {
    if (!renewsBeforeEnd(subscription)) return;
    const suspended = await billing.cancelForDeletion(subscription);
    // Otherwise the subscription was renewed since it was read, and would be charged for the new period.
    if (!isPaymentDue(suspended)) return;
  }
  await billing.cancelUnpaid(subscription);
}

/**
 * Undoes the cancellations of `suspendBilling`: the account stays. Cancellations by the user stay, and a
 * subscription that has ended meanwhile can't be resumed. Safe to repeat.
 */
export async function resumeBilling(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  trigger: string,
  now: Date,
): Promise<void> {
  const { billing } = dependencies;
  const customerId = customerIdOf(row);
  if (customerId === undefined) return;
  for (const subscription of await billing.subscriptionsOf(customerId, row)) {
    if (subscription.endsByDeletion && !hasEnded(subscription)) await billing.undoCancellation(subscription);
  }
  await reconcile(dependencies, row.id, now, { trigger });
}
