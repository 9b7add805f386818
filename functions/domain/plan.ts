import type { Plan, PlanName, UserPlan } from '../../schemas/plan.ts';

/** The part of a row that says which plan someone has. What is absent is removed from the row. */
export type PlanFields = Pick<
  UserPlan,
  'plan' | 'plan_expires_at' | 'stripe_subscription_id' | 'stripe_customer_id'
>;

/** Failures of the plan functions, in the specification's words (section 5). Its third, 'No user logged in', is the route's. */
type PlanFault = 'Invalid timestamp' | 'No plan record found';

export class PlanError extends Error {
  constructor(fault: PlanFault) {
    super(fault);
    this.name = 'PlanError';
  }
}

/** For Free both Stripe ids are cleared; otherwise the given ones are stored. There is no expiry. */
export function setPlan(
  plan: PlanName,
  ids: { subscriptionId?: string | undefined; customerId?: string | undefined } = {},
): PlanFields {
  if (plan === 'free') return { plan };
  return {
    plan,
    ...(ids.subscriptionId && { stripe_subscription_id: ids.subscriptionId }),
    ...(ids.customerId && { stripe_customer_id: ids.customerId }),
  };
}

/**
 * Plus until `timestamp`, in Unix seconds. The subscription id is cleared; the customer stays, since through
 * it a renewal finds the subscription again.
 */
export function updatePlanExpiry(row: PlanFields | undefined, timestamp: unknown): PlanFields {
  if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) throw new PlanError('Invalid timestamp');
  if (!row) throw new PlanError('No plan record found');
  return {
    plan: 'plus',
    plan_expires_at: new Date(timestamp * 1000).toISOString(),
    ...(row.stripe_customer_id && { stripe_customer_id: row.stripe_customer_id }),
  };
}

/** Keeps the plan until the last millisecond of the current calendar month, in UTC. */
export function cancelPlan(row: PlanFields | undefined, now: Date): PlanFields {
  if (!row) throw new PlanError('No plan record found');
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return { ...planFields(row), plan_expires_at: new Date(nextMonth - 1).toISOString() };
}

/** What the row amounts to at `now`: a plan past its expiry is Free, with everything else cleared. */
export function readPlan(row: PlanFields | undefined, now: Date): PlanFields {
  if (!row) throw new PlanError('No plan record found');
  return hasExpired(row, now) ? setPlan('free') : planFields(row);
}

/** The moment of expiry itself counts as past. */
export function hasExpired(row: Pick<PlanFields, 'plan_expires_at'>, now: Date): boolean {
  return row.plan_expires_at !== undefined && Date.parse(row.plan_expires_at) <= now.getTime();
}

/** A plan as its owner may see it. */
export function planView(row: UserPlan): Plan {
  return {
    plan: row.plan,
    planExpiresAt: row.plan_expires_at ?? null,
    stripeSubscriptionId: row.stripe_subscription_id ?? null,
    createdAt: row.created_at ?? null,
    lastSignInAt: row.last_sign_in_at ?? null,
  };
}

function planFields(row: PlanFields): PlanFields {
  const { plan, plan_expires_at, stripe_subscription_id, stripe_customer_id } = row;
  return {
    plan,
    ...(plan_expires_at && { plan_expires_at }),
    ...(stripe_subscription_id && { stripe_subscription_id }),
    ...(stripe_customer_id && { stripe_customer_id }),
  };
}
