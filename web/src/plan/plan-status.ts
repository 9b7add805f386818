import type { Plan } from '../../../schemas/plan.ts';

/** The result of reading the user's plan. `unknown`: it couldn't be read, and `sentence` says why. */
export type PlanState =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'known'; plan: Plan }
  | { kind: 'unknown'; sentence: string };

/** The user's plan as the pages show it. */
export type PlanStatus =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  /** Nothing is offered that depends on the plan: who has Plus must not be asked to buy it. */
  | { kind: 'unknown' }
  | { kind: 'free' }
  /** Renews by itself. */
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

/**
 * What the user can cancel. A `complimentary` plan has no Stripe subscription. A plan whose end is scheduled
 * is cancelled already.
 */
export function cancellable({ plan, planExpiresAt, stripeSubscriptionId }: Plan): Cancellable {
  if (plan !== 'plus') return { kind: 'nothing' };
  if (stripeSubscriptionId !== null) return { kind: 'subscription', id: stripeSubscriptionId };
  return { kind: planExpiresAt === null ? 'complimentary' : 'nothing' };
}
