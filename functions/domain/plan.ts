import { isPaid, lowestPaidPlan, type PlanName } from '../../schemas/product/offers.ts';
import type { Plan, UserPlan } from '../../schemas/rows/plan.ts';
import { isoFromUnix } from './unix-time.ts';

/** The fields of a row that make up the plan. Writing the fields removes absent ones. */
export type PlanFields = Pick<
  UserPlan,
  'plan' | 'plan_expires_at' | 'stripe_subscription_id' | 'stripe_customer_id'
>;

/** The messages are part of the product's interface. */
export class PlanError extends Error {
  constructor(fault: 'Invalid timestamp' | 'No plan record found') {
    super(fault);
    this.name = 'PlanError';
  }
}

/** For Free both Stripe ids are cleared; otherwise the given ids are stored. Clears the expiry. */
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

/** The row's paid plan, on Free the lowest, until `timestamp` (Unix seconds). Clears the subscription id. */
export function updatePlanExpiry(row: PlanFields | undefined, timestamp: unknown): PlanFields {
  if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) throw new PlanError('Invalid timestamp');
  if (!row) throw new PlanError('No plan record found');
  return {
    plan: isPaid(row.plan) ? row.plan : lowestPaidPlan,
    plan_expires_at: isoFromUnix(timestamp),
    ...(row.stripe_customer_id && { stripe_customer_id: row.stripe_customer_id }),
  };
}

/** Keeps the plan until the last millisecond of the current calendar month, in UTC. */
export function cancelPlan(row: PlanFields | undefined, now: Date): PlanFields {
  if (!row) throw new PlanError('No plan record found');
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return { ...planFields(row), plan_expires_at: new Date(nextMonth - 1).toISOString() };
}

/** The plan at `now`. An expired plan is Free, with all other fields cleared. */
export function readPlan(row: PlanFields | undefined, now: Date): PlanFields {
  if (!row) throw new PlanError('No plan record found');
  return hasExpired(row, now) ? setPlan('free') : planFields(row);
}

/** The moment of expiry itself counts as past. */
export function hasExpired(row: Pick<PlanFields, 'plan_expires_at'>, now: Date): boolean {
  return row.plan_expires_at !== undefined && Date.parse(row.plan_expires_at) <= now.getTime();
}

export const isSamePlan = (a: PlanFields, b: PlanFields): boolean =>
  a.plan === b.plan &&
  a.plan_expires_at === b.plan_expires_at &&
  a.stripe_subscription_id === b.stripe_subscription_id &&
  a.stripe_customer_id === b.stripe_customer_id;

export function toPlan(row: UserPlan): Plan {
  return {
    plan: row.plan,
    planExpiresAt: row.plan_expires_at ?? null,
    stripeSubscriptionId: row.stripe_subscription_id ?? null,
    createdAt: row.created_at ?? null,
    lastSignInAt: row.last_sign_in_at ?? null,
    mailBounces: row.mail_bounced_at !== undefined,
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

/** The user's Stripe customer, for the life of the account. Free clears `stripe_customer_id`, the plan's. */
export const customerIdOf = (row: Pick<UserPlan, 'billing_customer_id'>) => row.billing_customer_id;
