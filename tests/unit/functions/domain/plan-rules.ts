import type { PlanDecisionReason } from '../../../../schemas/config/log-events.ts';
import { plans, type PlanName } from '../../../../schemas/product/offers.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';

/* The rules about plans, written a second time and without the product's functions. */

export interface RuledPlan {
  plan: PlanName;
  /** ISO 8601. Null while a paid plan goes on, and on Free. */
  expiresAt: string | null;
  because: PlanDecisionReason;
  /** The id of the subscription that the plan is based on. */
  subscription: string | null;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** "Entitled: `active`, `trialing`, and `past_due` while Stripe still retries", once it was paid. */
export const entitles = ({ ended, state }: Subscription): boolean =>
  ended === undefined && ['active', 'renewing', 'invoiced', 'uncollected', 'past-due'].includes(state.kind);

/** Paid before unpaid, then the highest plan, then the one that the row names, then the oldest. */
export function preferred(
  subscriptions: readonly Subscription[],
  { stripe_subscription_id: named, plan_expires_at: end }: UserPlan,
): Subscription | undefined {
  const isNamed = ({ id, endsAt }: Subscription): boolean =>
    named === undefined ? end !== undefined && endsAt !== undefined && iso(endsAt) === end : named === id;
  let left = subscriptions.filter(entitles);
  const highest = Math.max(...left.map(({ plan }) => plans[plan].rank));
  const steps: ((one: Subscription) => boolean)[] = [
    ({ state }) => state.kind !== 'past-due',
    ({ plan }) => plans[plan].rank === highest,
    isNamed,
  ];
  for (const step of steps) if (left.some(step)) left = left.filter(step);
  const oldest = Math.min(...left.map(({ createdAt }) => createdAt));
  return left.filter(({ createdAt }) => createdAt === oldest).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
}

/** A subscription of support's that lasts longer goes before it. */
export function outlasting(
  best: Subscription | undefined,
  subscriptions: readonly Subscription[],
): Subscription | undefined {
  if (!best) return undefined;
  const lasts = ({ endsAt }: Subscription): number => endsAt ?? Infinity;
  const longer = subscriptions
    .filter((one) => one.userId === undefined && entitles(one) && one.state.kind !== 'past-due')
    .filter((one) => lasts(one) > lasts(best) && plans[one.plan].rank >= plans[best.plan].rank);
  return longer.toSorted((a, b) => lasts(b) - lasts(a))[0] ?? best;
}

export function ruledPlan(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  cancels: boolean,
): RuledPlan {
  const best = outlasting(preferred(subscriptions, row), subscriptions);
  if (best) {
    const expiresAt = best.endsAt === undefined ? null : iso(best.endsAt);
    const because = expiresAt === null ? 'subscription-renews' : 'subscription-ends';
    return { plan: best.plan, expiresAt, because, subscription: best.id };
  }
  const { plan, plan_expires_at: expiresAt = null, stripe_customer_id: customer } = row;
  const free = { plan: 'free', expiresAt: null, subscription: null } as const;
  const isComplimentary =
    plan !== 'free' && customer === undefined && row.stripe_subscription_id === undefined;
  if (!isComplimentary) return { ...free, because: 'no-active-subscription' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) {
    return { ...free, because: 'complimentary-expired' };
  }
  const paid = { plan, subscription: null } as const;
  if (expiresAt !== null || !cancels) return { ...paid, expiresAt, because: 'complimentary' };
  return { ...paid, expiresAt: endOfMonth(now), because: 'complimentary-cancelled' };
}

const endOfMonth = (day: Date): string =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) - 1).toISOString();
