import type { Plan } from '../../../schemas/plan.ts';

/**
 * What is known about somebody's plan. `assumed`: it couldn't be read, and counts as Free until it can
 * (specification, section 8).
 */
export type PlanState =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'known'; plan: Plan }
  | { kind: 'assumed'; sentence: string };

/** Where somebody stands with the two plans, as the pages show it. */
export type Standing =
  | { kind: 'visitor' }
  | { kind: 'loading' }
  | { kind: 'free' }
  /** Renews by itself. */
  | { kind: 'plus' }
  /** Plus until `on`, an ISO 8601 timestamp, then Free. */
  | { kind: 'ending'; on: string };

export function standingOf(state: PlanState): Standing {
  if (state.kind === 'visitor' || state.kind === 'loading') return state;
  if (state.kind === 'assumed' || state.plan.plan === 'free') return { kind: 'free' };
  const { planExpiresAt } = state.plan;
  return planExpiresAt === null ? { kind: 'plus' } : { kind: 'ending', on: planExpiresAt };
}

export type Cancellable = { kind: 'nothing' } | { kind: 'subscription'; id: string } | { kind: 'grant' };

/**
 * What there is to cancel. A `grant` is a Plus without a Stripe subscription, given by hand. Once a
 * cancellation is scheduled, nothing is left to cancel.
 */
export function cancellable({ plan, planExpiresAt, stripeSubscriptionId }: Plan): Cancellable {
  if (plan !== 'plus') return { kind: 'nothing' };
  if (stripeSubscriptionId !== null) return { kind: 'subscription', id: stripeSubscriptionId };
  return { kind: planExpiresAt === null ? 'grant' : 'nothing' };
}
