import type { UserPlan } from '../../schemas/plan.ts';
import { cancelPlan, type PlanFields, readPlan, setPlan, updatePlanExpiry } from './plan.ts';

/** A Stripe subscription, as far as it decides a plan. */
export interface Subscription {
  id: string;
  customerId: string;
  /** Stripe's own word; one that Stripe adds later entitles to nothing. */
  status: string;
  /** End of the paid period, Unix seconds. */
  currentPeriodEnd: number;
  /** When it ends by `cancel_at` or at period end, Unix seconds; undefined while it renews by itself. */
  endsAt: number | undefined;
}

/** `past_due` entitles while Stripe still retries; when it gives up, Stripe changes the status. */
const entitling = new Set(['active', 'trialing', 'past_due']);

export const isEntitling = (subscription: Subscription): boolean => entitling.has(subscription.status);

const ended = new Set(['canceled', 'incomplete_expired']);

/** Neither entitling nor ended: it may come back to life. */
export const isDormant = (subscription: Subscription): boolean =>
  !isEntitling(subscription) && !ended.has(subscription.status);

/** The subscription a plan rests on: one that renews before one that ends, then whichever lasts longer. */
export function governing(subscriptions: readonly Subscription[]): Subscription | undefined {
  return subscriptions
    .filter(isEntitling)
    .toSorted((a, b) => lastingUntil(b) - lastingUntil(a) || b.currentPeriodEnd - a.currentPeriodEnd)[0];
}

const lastingUntil = (subscription: Subscription): number => subscription.endsAt ?? Infinity;

/** Plus without a trace of Stripe: somebody wrote it into the row by hand. */
export function isGivenByHand(row: PlanFields): boolean {
  return row.plan === 'plus' && !row.stripe_subscription_id && !row.stripe_customer_id;
}

/**
 * Which plan someone has, from what Stripe says now and what the row said before.
 * `endGrant` asks for the end of a Plus that was given by hand, which Stripe knows nothing of.
 */
export function decidePlan(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  { endGrant = false }: { endGrant?: boolean } = {},
): PlanFields {
  const subscription = governing(subscriptions);
  if (subscription) {
    const plus = setPlan('plus', { subscriptionId: subscription.id, customerId: subscription.customerId });
    return subscription.endsAt === undefined ? plus : updatePlanExpiry(plus, subscription.endsAt);
  }
  if (!isGivenByHand(row)) return setPlan('free');
  return endGrant && !row.plan_expires_at ? cancelPlan(row, now) : readPlan(row, now);
}
