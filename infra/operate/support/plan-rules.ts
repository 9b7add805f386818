import type { DecisionInputs, PlanDecisionReason } from '../../../schemas/config/log-events.ts';
import type { PlanName } from '../../../schemas/rows/plan.ts';

/*
 * The rules about plans, written a second time and without the product's functions. A test holds every
 * decision against them, and the command `verify` the decisions in a log.
 */

type RuledSubscription = DecisionInputs['subscriptions'][number];

export interface RuledPlan {
  plan: PlanName;
  /** ISO 8601. Null while Plus goes on, and on Free. */
  expiresAt: string | null;
  because: PlanDecisionReason;
  /** The id of the subscription that the plan is based on. */
  subscription: string | null;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** "Entitled: `active`, `trialing`, and `past_due` while Stripe still retries", once it was paid. */
export function givesPlus({ duplicate, firstPayment, status, stoppedTrying }: RuledSubscription): boolean {
  if (duplicate !== null || firstPayment !== 'arrived') return false;
  if (status === 'past_due') return !stoppedTrying;
  return status === 'active' || status === 'trialing';
}

/** A paid one before an unpaid one, then the one that the row names, then the oldest. */
export function preferred<S extends RuledSubscription>(
  subscriptions: readonly S[],
  { subscription, expiresAt }: DecisionInputs['row'],
): S | undefined {
  const isNamed = ({ id, endsAt }: S): boolean =>
    subscription === null
      ? expiresAt !== null && endsAt !== null && iso(endsAt) === expiresAt
      : subscription === id;
  const steps: ((one: S) => boolean)[] = [({ status }) => status !== 'past_due', isNamed];
  let left = subscriptions.filter(givesPlus);
  for (const step of steps) if (left.some(step)) left = left.filter(step);
  const oldest = Math.min(...left.map(({ createdAt }) => createdAt));
  return left.filter(({ createdAt }) => createdAt === oldest).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
}

export function ruledPlan({ at, row, subscriptions, cancels }: DecisionInputs): RuledPlan {
  const best = preferred(subscriptions, row);
  if (best) {
    const expiresAt = best.endsAt === null ? null : iso(best.endsAt);
    const because = expiresAt === null ? 'subscription-renews' : 'subscription-ends';
    return { plan: 'plus', expiresAt, because, subscription: best.id };
  }
  const free = { plan: 'free', expiresAt: null, subscription: null } as const;
  const isComplimentary = row.plan === 'plus' && !row.hasCustomer && row.subscription === null;
  if (!isComplimentary) return { ...free, because: 'no-active-subscription' };
  const { expiresAt } = row;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(at)) {
    return { ...free, because: 'complimentary-expired' };
  }
  const plus = { plan: 'plus', subscription: null } as const;
  if (expiresAt !== null || !cancels) return { ...plus, expiresAt, because: 'complimentary' };
  return { ...plus, expiresAt: endOfMonth(new Date(at)), because: 'complimentary-cancelled' };
}

const endOfMonth = (day: Date): string =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) - 1).toISOString();
