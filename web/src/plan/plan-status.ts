import type { Plan } from '../../../schemas/rows/plan.ts';

/** The result of reading the user's plan. `unknown`: the plan couldn't be read, and `sentence` says why. */
export type PlanState =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'known'; plan: Plan }
  | { kind: 'unknown'; sentence: string };

/** The user's plan as pages show it. */
export type PlanStatus =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  /** Nothing is offered that depends on the plan: a user who has Plus must not be asked to buy it. */
  | { kind: 'unknown' }
  | { kind: 'free' }
  /** Plus that renews. */
  | { kind: 'plus' }
  /** Plus until `on`, an ISO 8601 timestamp, then Free. */
  | { kind: 'ending'; on: string };

export function planStatusOf(state: PlanState): PlanStatus {
  if (state.kind !== 'known') return { kind: state.kind };
  if (state.plan.plan === 'free') return { kind: 'free' };
  const { planExpiresAt } = state.plan;
  return planExpiresAt === null ? { kind: 'plus' } : { kind: 'ending', on: planExpiresAt };
}

export type Cancellable =
  | { kind: 'nothing' }
  | { kind: 'subscription'; id: string }
  | { kind: 'complimentary' };

/** The plan that the user can cancel. A plan with a scheduled end is canceled already. */
export function cancellable({ plan, planExpiresAt, stripeSubscriptionId }: Plan): Cancellable {
  if (plan !== 'plus') return { kind: 'nothing' };
  if (stripeSubscriptionId !== null) return { kind: 'subscription', id: stripeSubscriptionId };
  return { kind: planExpiresAt === null ? 'complimentary' : 'nothing' };
}
