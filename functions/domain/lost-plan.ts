import type { UserPlan } from '../../schemas/rows/plan.ts';
import { activeSubscription, isComplimentary } from './decide-plan.ts';
import type { Subscription } from './subscription.ts';

/**
 * The time when the latest paid subscription ended for good, in Unix seconds. Undefined if the user has Plus,
 * or never paid. Purchases that were never paid don't count.
 */
export const endedAt = (row: UserPlan, subscriptions: readonly Subscription[]): number | undefined =>
  lastOf(row, subscriptions)?.endedAt;

/**
 * The same time, if Plus ended because payments failed. Undefined if the user had canceled.
 */
export function lostAt(row: UserPlan, subscriptions: readonly Subscription[]): number | undefined {
  const last = lastOf(row, subscriptions);
  return last?.endedByFailure && last.endsAt === undefined ? last.endedAt : undefined;
}

/** The latest subscription that was paid, unless the user has Plus. */
function lastOf(row: UserPlan, subscriptions: readonly Subscription[]): Subscription | undefined {
  if (isComplimentary(row) || activeSubscription(subscriptions, row)) return undefined;
  return subscriptions
    .filter(({ firstPayment, duplicate }) => firstPayment === 'arrived' && !duplicate)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
}
