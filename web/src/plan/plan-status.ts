import { isPaid, type PaidPlan } from '../../../schemas/product/offers.ts';
import type { Plan } from '../../../schemas/rows/plan.ts';

/** The result of reading something about the user. `unread`: `sentence` says why that failed. */
export type Read<T> =
  | { kind: 'loading' }
  | { kind: 'known'; value: T }
  | { kind: 'unread'; sentence: string };

export type PlanState = Read<Plan> | { kind: 'visitor' };

export type PlanStatus =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  /** Nothing is offered that depends on the plan: a user who has a paid plan must not be asked to buy it. */
  | { kind: 'unread' }
  | { kind: 'free' }
  /** A paid plan that renews. */
  | { kind: 'renews'; plan: PaidPlan }
  /** A paid plan until `on`, an ISO 8601 timestamp, then Free. */
  | { kind: 'ending'; plan: PaidPlan; on: string };

export function planStatusOf(state: PlanState): PlanStatus {
  if (state.kind !== 'known') return { kind: state.kind };
  const { plan, planExpiresAt } = state.value;
  if (!isPaid(plan)) return { kind: 'free' };
  return planExpiresAt === null ? { kind: 'renews', plan } : { kind: 'ending', plan, on: planExpiresAt };
}

export type Cancellable =
  | { kind: 'nothing' }
  | { kind: 'subscription'; id: string }
  | { kind: 'complimentary' };

/** The plan that the user can cancel. A plan with a scheduled end is canceled already. */
export function cancellable({ plan, planExpiresAt, stripeSubscriptionId }: Plan): Cancellable {
  if (!isPaid(plan)) return { kind: 'nothing' };
  if (stripeSubscriptionId !== null) return { kind: 'subscription', id: stripeSubscriptionId };
  return { kind: planExpiresAt === null ? 'complimentary' : 'nothing' };
}
