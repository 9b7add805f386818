import type { PaidPlan } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { activeSubscription, isComplimentary } from './decide-plan.ts';
import { hasEntitlingStatus, isPaymentProcessing, type Subscription } from './subscription.ts';

/** Seconds. A purchase whose payment failed longer ago is no longer mentioned. */
const MENTIONED_FOR = 30 * 24 * 60 * 60;

/** The user's latest purchase, if its payment is processing or has failed. */
export interface UnpaidPurchase {
  plan: PaidPlan;
  payment: 'processing' | 'failed';
  /** Unix seconds. */
  boughtAt: number;
}

/**
 * Undefined if the user has a paid subscription, or has made no purchase whose payment the bank began to
 * process. A payment that was declined at once doesn't count: Stripe's form has told the user.
 */
export function unpaidPurchase(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
): UnpaidPurchase | undefined {
  if (activeSubscription(subscriptions, row)) return undefined;
  const processing = subscriptions.find(isPaymentProcessing);
  if (processing) return { plan: processing.plan, payment: 'processing', boughtAt: processing.createdAt };
  if (isComplimentary(row)) return undefined;
  const last = subscriptions
    .filter((subscription) => subscription.firstPayment === 'arrived' || hasFailedLate(subscription))
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  const mentionedUntil = (last?.endedAt ?? Number.POSITIVE_INFINITY) + MENTIONED_FOR;
  return last && hasFailedLate(last) && now.getTime() < mentionedUntil * 1000
    ? { plan: last.plan, payment: 'failed', boughtAt: last.createdAt }
    : undefined;
}

/** A subscription whose first payment is declined at once never becomes active, and expires. */
const hasFailedLate = (subscription: Subscription): boolean =>
  subscription.firstPayment === 'failed' &&
  (subscription.status === 'canceled' || hasEntitlingStatus(subscription));
