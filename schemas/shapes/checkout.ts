import * as z from 'zod/mini';
import { PaidPlanName } from '../rows/plan.ts';

/** A Stripe id from a request. Can't contain a path. */
export const StripeId = z.string().check(z.regex(/^[A-Za-z0-9_]{1,255}$/));

/** The state of a Checkout Session, for the page that Stripe returns to. */
export const SessionStatus = z.object({
  /** Stripe's `status`: open, complete, expired, or a later addition. */
  status: z.nullable(z.string()),
  customer_email: z.nullable(z.string()),
  subscription_id: z.nullable(z.string()),
  customer_id: z.nullable(z.string()),
  subscription_status: z.nullable(z.string()),
  /** The plan of the subscription. Not a field of Stripe. */
  plan: z.optional(PaidPlanName),
  /** Unix seconds. */
  subscription_current_period_end: z.nullable(z.number()),
  /**
   * The first payment of a complete session; null for any other session. `processing`: the bank has not sent
   * the money yet, and Plus begins when it does. `failed`: the bank sent no money, and nothing was charged.
   * Not a field of Stripe.
   */
  payment: z._default(z.nullable(z.enum(['paid', 'processing', 'failed'])), null),
  /**
   * The total of the session and the taxes that it includes, in the currency's smallest unit. Not a field of
   * Stripe.
   */
  price: z.optional(z.object({ total: z.number(), tax: z.number(), currency: z.string() })),
  /** Stripe's page of the first invoice, which has the receipt. Not a field of Stripe's session. */
  receipt_url: z.optional(z.url()),
  /** Whether the payment was refunded because the user already had Plus. Not a field of Stripe. */
  refunded: z._default(z.boolean(), false),
});
export type SessionStatus = z.infer<typeof SessionStatus>;
