import type { UserPlan } from '../../schemas/plan.ts';
import { cancelPlan, type PlanFields, readPlan, setPlan, updatePlanExpiry } from './plan.ts';

/**
 * What became of a second subscription beside the one that is kept. Kept in Stripe's metadata: what was found surplus
 * stays so, whatever happens to the other one meanwhile. `nothing-taken` where its period was never paid.
 */
export type Surplus = 'found' | 'refunded' | 'nothing-taken';

/** A Stripe subscription, as far as it decides a plan. */
export interface Subscription {
  id: string;
  customerId: string;
  /** Whom it was bought for; undefined for one that somebody made in Stripe by hand. */
  userId: string | undefined;
  /** Stripe's own word; one that Stripe adds later entitles to nothing. */
  status: string;
  /** Unix seconds. */
  createdAt: number;
  /** End of the paid period, Unix seconds. */
  currentPeriodEnd: number;
  /** When it ends by `cancel_at` or at period end, Unix seconds; undefined while it renews by itself. */
  endsAt: number | undefined;
  /** Absent on almost every one. */
  surplus: Surplus | undefined;
  /** Whether, after its end, the invoices that it left open were made unpayable. */
  closed: boolean;
}

/** `past_due` entitles while Stripe still retries; when it gives up, Stripe changes the status. */
const entitling = new Set(['active', 'trialing', 'past_due']);

export const isEntitling = ({ status, surplus }: Subscription): boolean => entitling.has(status) && !surplus;

const ended = new Set(['canceled', 'incomplete_expired']);

/** For good: nothing brings it back. */
export const hasEnded = (subscription: Subscription): boolean => ended.has(subscription.status);

/** Ended, with invoices that may still be open: Stripe's page would take money for them, and give nothing. */
export const leftOpen = (subscription: Subscription): boolean =>
  hasEnded(subscription) && !subscription.closed;

/** Neither entitling nor ended: it may come back to life. */
export const isDormant = (subscription: Subscription): boolean =>
  !entitling.has(subscription.status) && !hasEnded(subscription);

/**
 * The subscription a plan rests on: one that is paid before one that is not, then the one it rested on before, then whichever
 * was there first. Decisions follow one another through the row, and what it rests on is what the one before has kept: two of
 * them don't end each other's.
 */
export function governing(subscriptions: readonly Subscription[], row?: Resting): Subscription | undefined {
  const other = (one: Subscription): number => (row && restsOn(row, one) ? 0 : 1);
  return subscriptions
    .filter(isEntitling)
    .toSorted(
      (a, b) =>
        owing(a) - owing(b) || other(a) - other(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )[0];
}

type Resting = Pick<UserPlan, 'stripe_subscription_id' | 'plan_expires_at'>;

/** By its id, or, of one that is going to end, which the row doesn't name, by that end. */
function restsOn({ stripe_subscription_id: id, plan_expires_at: end }: Resting, one: Subscription): boolean {
  if (id !== undefined) return one.id === id;
  return end !== undefined && one.endsAt !== undefined && Date.parse(end) === one.endsAt * 1000;
}

const owing = ({ status }: Subscription): number => (status === 'past_due' ? 1 : 0);

/**
 * Those that somebody bought on the site beside the one that is kept, and those that were found so before and not dealt with
 * to the end. What support made in Stripe by hand, and what was bought for somebody else, is left alone. `row` is the one
 * that the decision was made from.
 */
export function surplus(
  subscriptions: readonly Subscription[],
  row: Resting & Pick<UserPlan, 'id'>,
): Subscription[] {
  const kept = governing(
    subscriptions.filter((one) => one.userId === undefined || one.userId === row.id),
    row,
  );
  return subscriptions
    .filter((one) => one.userId === row.id)
    .filter((one) => one.surplus === 'found' || (isEntitling(one) && one !== kept));
}

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
  const subscription = governing(subscriptions, row);
  if (subscription) {
    const plus = setPlan('plus', { subscriptionId: subscription.id, customerId: subscription.customerId });
    return subscription.endsAt === undefined ? plus : updatePlanExpiry(plus, subscription.endsAt);
  }
  if (!isGivenByHand(row)) return setPlan('free');
  return endGrant && !row.plan_expires_at ? cancelPlan(row, now) : readPlan(row, now);
}
