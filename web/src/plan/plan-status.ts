import type { Plan } from '../../../schemas/plan.ts';

/** The result of reading the user's plan. `assumed`: it couldn't be read, and counts as Free until it can. */
export type PlanState =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'known'; plan: Plan }
  | { kind: 'assumed'; sentence: string };

/** The user's plan as the pages show it. */
export type PlanStatus =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'free' }
  /** Renews by itself. */
  | { kind: 'plus' }
  /** Plus until `on`, an ISO 8601 timestamp, then Free. */
  | { kind: 'ending'; on: string };

export function planStatusOf(state: PlanState): PlanStatus {
  if (state.kind === 'visitor' || state.kind === 'loading') return state;
  if (state.kind === 'assumed' || state.plan.plan === 'free') return { kind: 'free' };
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
