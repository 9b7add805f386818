import * as z from 'zod/mini';

/** A Stripe id as it may come from outside: nothing that could be read as a path. */
export const StripeId = z.string().check(z.regex(/^[A-Za-z0-9_]{1,255}$/));

export const CheckoutSessionRequest = z.strictObject({
  planName: z.string().check(z.maxLength(50)),
  userId: z.string().check(z.maxLength(128)),
  userEmail: z.string().check(z.maxLength(254)),
});
export type CheckoutSessionRequest = z.infer<typeof CheckoutSessionRequest>;

export const CheckoutSessionResponse = z.object({ clientSecret: z.string() });
export type CheckoutSessionResponse = z.infer<typeof CheckoutSessionResponse>;

/** Specification, section 3. */
export const SessionStatus = z.object({
  /** Stripe's word: open, complete, expired, or one it adds later. */
  status: z.nullable(z.string()),
  customer_email: z.nullable(z.string()),
  subscription_id: z.nullable(z.string()),
  customer_id: z.nullable(z.string()),
  subscription_status: z.nullable(z.string()),
  /** Unix seconds. */
  subscription_current_period_end: z.nullable(z.number()),
  /** Whether the payment was given back, because its payer was on Plus already. Ours. */
  refunded: z._default(z.boolean(), false),
});
export type SessionStatus = z.infer<typeof SessionStatus>;

export const CancelRequest = z.strictObject({
  /** Null for a Plus plan that was given by hand and has no Stripe subscription. */
  subscription_id: z.nullable(StripeId),
});
export type CancelRequest = z.infer<typeof CancelRequest>;

export const CancelResponse = z.object({
  success: z.literal(true),
  /** Unix seconds: until then Plus stays. */
  current_period_end: z.number(),
  /** Plus is over already: a payment was due, and what had been paid for was used up. */
  ended: z.optional(z.literal(true)),
});
export type CancelResponse = z.infer<typeof CancelResponse>;
