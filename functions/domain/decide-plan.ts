import type { PlanDecisionReason } from '../../schemas/config/log-events.ts';
import { isPaid, plans } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { cancelPlan, isSamePlan, type PlanFields, readPlan, setPlan, updatePlanExpiry } from './plan.ts';
import { isEntitling, isPayable, mustBeRefunded, type Subscription } from './subscription.ts';

/** The fields of a row that say which subscription its plan is based on. */
type PlanBasis = Pick<UserPlan, 'stripe_subscription_id' | 'plan_expires_at'>;

/** The subscription of the plan: the user's own, or one that support made beside it and that outlasts it. */
export function activeSubscription(
  subscriptions: readonly Subscription[],
  row?: PlanBasis & { id?: string },
): Subscription | undefined {
  const preferred = preferredSubscription(subscriptions, row);
  if (!preferred) return undefined;
  const outlasts = (other: Subscription): boolean =>
    isEntitling(other) &&
    !isPastDue(other) &&
    other.userId === undefined &&
    plans[other.plan].rank >= plans[preferred.plan].rank &&
    endOf(other) > endOf(preferred);
  return subscriptions.filter(outlasts).toSorted((a, b) => endOf(b) - endOf(a))[0] ?? preferred;
}

const endOf = ({ endsAt = Infinity }: Subscription): number => endsAt;

/**
 * Prefers paid to past due, a higher rank, the subscription that the row is already based on, the oldest.
 * `row`: two consecutive decisions can't each cancel the subscription that the other kept.
 */
function preferredSubscription(subscriptions: readonly Subscription[], row?: PlanBasis) {
  const otherRank = (subscription: Subscription): number => (row && isBasedOn(row, subscription) ? 0 : 1);
  return subscriptions
    .filter(isEntitling)
    .toSorted(
      (a, b) =>
        Number(isPastDue(a)) - Number(isPastDue(b)) ||
        plans[b.plan].rank - plans[a.plan].rank ||
        otherRank(a) - otherRank(b) ||
        a.createdAt - b.createdAt ||
        (a.id < b.id ? -1 : 1),
    )[0];
}

const isPastDue = ({ state }: Subscription): boolean => state.kind === 'past-due';

/** Matches by id, or by the end: a row whose subscription is scheduled to end has no id. */
export function isBasedOn(
  { stripe_subscription_id: id, plan_expires_at: end }: PlanBasis,
  subscription: Pick<Subscription, 'id' | 'endsAt'>,
): boolean {
  if (id !== undefined) return subscription.id === id;
  // A missing date is NaN, which equals nothing.
  return Date.parse(end ?? '') === (subscription.endsAt ?? Number.NaN) * 1000;
}

/** The subscription beside which another one is a duplicate. Never one that was bought for another user. */
export const keptSubscription = (
  subscriptions: readonly Subscription[],
  row: PlanBasis & Pick<UserPlan, 'id'>,
): Subscription | undefined =>
  preferredSubscription(
    subscriptions.filter(({ userId }) => userId === undefined || userId === row.id),
    row,
  );

/**
 * The subscriptions that the user bought and that are active beside the active one, or would be once their
 * invoice is paid, and those marked as duplicates or withdrawn but not yet refunded. `row`: the row that the
 * decision was made from.
 */
export function duplicatesIn(subscriptions: readonly Subscription[], row: PlanBasis & Pick<UserPlan, 'id'>) {
  const kept = keptSubscription(subscriptions, row);
  const own = subscriptions.filter(({ userId }) => userId === row.id);
  const ownKept = preferredSubscription(own, row);
  // Support has made another one beside it.
  const isBeside = kept !== undefined && ownKept !== undefined && ownKept.createdAt < kept.createdAt;
  return own.filter(
    (subscription) =>
      mustBeRefunded(subscription) ||
      (kept &&
        subscription !== kept &&
        !(isBeside && subscription === ownKept) &&
        (isEntitling(subscription) || isPayable(subscription))),
  );
}

/** A paid plan without a Stripe customer: support wrote the plan into the row. */
export function isComplimentary(row: PlanFields): boolean {
  return isPaid(row.plan) && !row.stripe_subscription_id && !row.stripe_customer_id;
}

export interface PlanDecision {
  fields: PlanFields;
  because: PlanDecisionReason;
  subscription: Subscription | undefined;
}

function planOf({ plan, id, customerId, endsAt }: Subscription): PlanFields {
  const paid = setPlan(plan, { subscriptionId: id, customerId });
  return endsAt === undefined ? paid : updatePlanExpiry(paid, endsAt);
}

export const isPlanOf = (row: PlanFields, subscription: Subscription): boolean =>
  isEntitling(subscription) && isSamePlan(row, planOf(subscription));

/**
 * Derives a user's plan from Stripe's subscriptions and the previous row. `cancelComplimentary`: schedules
 * the end of a complimentary plan, which Stripe doesn't know about.
 */
export function decidePlan(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  { cancelComplimentary = false }: { cancelComplimentary?: boolean } = {},
): PlanDecision {
  const subscription = activeSubscription(subscriptions, row);
  if (subscription) {
    const because = subscription.endsAt === undefined ? 'subscription-renews' : 'subscription-ends';
    return { fields: planOf(subscription), because, subscription };
  }
  if (!isComplimentary(row)) {
    return { fields: setPlan('free'), because: 'no-active-subscription', subscription };
  }
  if (cancelComplimentary && !row.plan_expires_at) {
    return { fields: cancelPlan(row, now), because: 'complimentary-cancelled', subscription };
  }
  const fields = readPlan(row, now);
  return { fields, because: isPaid(fields.plan) ? 'complimentary' : 'complimentary-expired', subscription };
}
