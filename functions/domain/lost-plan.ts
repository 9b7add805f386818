import type { UserPlan } from '../../schemas/rows/plan.ts';
import { activeSubscription, isComplimentary } from './decide-plan.ts';
import type { Subscription } from './subscription.ts';

/**
 * The time when Plus ended because payments failed, in Unix seconds. Undefined if the user has Plus, had
 * canceled, or has paid for another subscription since. Purchases that were never paid don't count.
 */
export function lostAt(row: UserPlan, subscriptions: readonly Subscription[]): number | undefined {
  if (isComplimentary(row) || activeSubscription(subscriptions, row)) return undefined;
  const last = subscriptions
    .filter(({ firstPayment, duplicate }) => firstPayment === 'arrived' && !duplicate)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  return last?.endedByFailure && last.endsAt === undefined ? last.endedAt : undefined;
}
