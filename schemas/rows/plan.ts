// zod/mini loads in a quarter of the time of zod, and the browser loads it too.
import * as z from 'zod/mini';
import { paidPlans, planNames } from '../product/offers.ts';
import { providerKeys } from '../product/providers.ts';

export const PlanName = z.enum(planNames);
export const PaidPlanName = z.enum(paidPlans);

/** ISO 8601 in UTC, like all timestamps in tables, requests and answers. */
export const Timestamp = z.iso.datetime();

/** A plan as its user sees it. */
export const Plan = z.object({
  plan: PlanName,
  /** Time when Plus ends; null while Plus renews, and on Free. */
  planExpiresAt: z.nullable(Timestamp),
  /** Null on Free, and from the moment a cancellation is scheduled. */
  stripeSubscriptionId: z.nullable(z.string()),
  /** Null for a row that support has written, and, for an app's token, while the account has no row. */
  createdAt: z.nullable(Timestamp),
  /** Null until the first read after a sign-in. */
  lastSignInAt: z.nullable(Timestamp),
  /** Whether our mail to the account's address bounces, so that the user gets none. */
  mailBounces: z.boolean(),
});
export type Plan = z.infer<typeof Plan>;

/**
 * A row of the UserPlans table, key `id` (the Cognito `sub`). A missing value is an absent attribute, because
 * DynamoDB refuses null in an index key.
 */
export const UserPlan = z.object({
  id: z.string(),
  plan: PlanName,
  plan_expires_at: z.optional(Timestamp),
  /** Partition key of the sparse `by_expiry` index. Present exactly if `plan_expires_at` is. */
  expiry_shard: z.optional(z.number()),
  stripe_subscription_id: z.optional(z.string()),
  stripe_customer_id: z.optional(z.string()),
  created_at: z.optional(Timestamp),
  updated_at: z.optional(Timestamp),
  last_sign_in_at: z.optional(Timestamp),
  /** The proved address, in lower case. Absent in a row of support's until a sign-in with a provider. */
  address: z.optional(z.string()),
  /** The versions that the account accepted. Absent in older rows, and in a row that support has written. */
  accepted_terms: z.optional(z.string()),
  accepted_privacy: z.optional(z.string()),
  /** Optimistic lock: counts the writes that decided the plan. 0 for a row that support has written. */
  version: z._default(z.number(), 0),
  /**
   * The user's Stripe customer, for the lifetime of the account. `stripe_customer_id` is removed on Free;
   * this attribute stays, so that a late payment still finds its user, and no user gets a second customer.
   */
  billing_customer_id: z.optional(z.string()),
  /** The user's open Checkout Session. There is at most one. */
  checkout_session_id: z.optional(z.string()),
  /**
   * End of the lock that a deletion takes: until then the account gets no customer and no checkout. An
   * account whose deletion failed halfway works again.
   */
  closing_until: z.optional(Timestamp),
  /** Time of the next step if nobody signs in. Without it, an account is never deleted for idleness. */
  idle_due_at: z.optional(Timestamp),
  /** Partition key of the sparse `by_idle` index. Present exactly if `idle_due_at` is. */
  idle_shard: z.optional(z.number()),
  /** Number of warnings sent since the account was last in use. Absent before the first. */
  idle_warnings: z.optional(z.number()),
  /** SES's id of a warning that bounced temporarily since the last use. A repeated event isn't counted. */
  idle_returned_mail: z.optional(z.string()),
  /** Time since when mail to `address` bounces. A new proof of an address ends that. */
  mail_bounced_at: z.optional(Timestamp),
  password_mail_at: z.optional(Timestamp),
  cancel_mail_at: z.optional(Timestamp),
  /** A `Notified` as JSON: what the user was mailed about the plan. Absent before the first mail. */
  billing_notified: z.optional(z.string()),
  /** One function mails the user about the plan until then: a time, and a random text after it. */
  billing_notice_lease: z.optional(z.string()),
  /** The same for mails that have arrived and aren't noted yet: an array, present while the lease is. */
  billing_maybe_notified: z.optional(z.string()),
  /** The `origin_jti` of sessions that the user has ended one by one, with spaces between. */
  ended_sessions: z.optional(z.string()),
  /**
   * Older sessions, to the second, are over; older proofs and requested changes of address are void. Absent:
   * nothing has been taken back. The row `EVERYBODY` has the same for all accounts.
   */
  valid_since: z.optional(Timestamp),
  /** The provider whose sign-in made the account. Absent for an account with a password. */
  made_by: z.optional(z.enum(providerKeys)),
});
export type UserPlan = z.infer<typeof UserPlan>;

/** The id of the row in UserPlans whose `valid_since` counts for all accounts of the stage. */
export const EVERYBODY = 'everybody';
