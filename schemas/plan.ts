// zod/mini: a quarter of the module-start time of the full build, and the browser loads it too.
import * as z from 'zod/mini';

export const PlanName = z.enum(['free', 'plus']);
export type PlanName = z.infer<typeof PlanName>;

/** ISO 8601 in UTC, as every timestamp in the tables and on the wire. */
export const Timestamp = z.iso.datetime();

/** A plan as its owner may see it. */
export const Plan = z.object({
  plan: PlanName,
  /** When Plus ends; null while it renews by itself, and on Free. */
  planExpiresAt: z.nullable(Timestamp),
  /** Null on Free, and from the moment a cancellation is scheduled. */
  stripeSubscriptionId: z.nullable(z.string()),
  /** Null for a row that somebody put there by hand. */
  createdAt: z.nullable(Timestamp),
  /** Null until the first read after a sign-in. */
  lastSignInAt: z.nullable(Timestamp),
});
export type Plan = z.infer<typeof Plan>;

/**
 * A row of the UserPlans table, key `id` (the Cognito `sub`). An absent attribute is the specification's
 * null, because DynamoDB refuses null in an index key.
 */
export const UserPlan = z.object({
  id: z.string(),
  plan: PlanName,
  plan_expires_at: z.optional(Timestamp),
  /** Present exactly when `plan_expires_at` is: the partition of the sparse `by_expiry` index. */
  expiry_shard: z.optional(z.number()),
  stripe_subscription_id: z.optional(z.string()),
  stripe_customer_id: z.optional(z.string()),
  created_at: z.optional(Timestamp),
  updated_at: z.optional(Timestamp),
  last_sign_in_at: z.optional(Timestamp),
  /**
   * Counts the writes that decided the plan; a decision made from an older count is refused. 0 stands for
   * a row that somebody put there by hand.
   */
  version: z._default(z.number(), 0),
  /**
   * The Stripe customer this person is for as long as the account lives. `stripe_customer_id` is cleared
   * whenever the plan falls to Free, as specified; this one stays, so that an invoice paid late still
   * finds its person and nobody becomes two customers.
   */
  billing_customer_id: z.optional(z.string()),
  /** The one Checkout Session that may be open for this person. */
  checkout_session_id: z.optional(z.string()),
  /**
   * Until then the account is being deleted, and takes on no customer and no checkout. It lapses by itself: whoever
   * thinks better of a deletion that failed half-way has an account that works.
   */
  closing_until: z.optional(Timestamp),
});
export type UserPlan = z.infer<typeof UserPlan>;
