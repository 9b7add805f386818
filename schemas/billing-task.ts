import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/**
 * What to do for a customer. `follow`: decide the user's plan and settle, as after an event. `end`: end
 * everything that is billed to the customer, whose account is deleted. `look`: ask whether the user exists.
 * `look-again`: ask once more, and end the billing if not. `address`: give the customer the user's address.
 */
export const BillingWork = z.enum(['follow', 'end', 'look', 'look-again', 'address']);
export type BillingWork = z.infer<typeof BillingWork>;

/** Something that is left to be done at Stripe, in the StripeWork table. */
export const BillingTask = z.object({
  work: BillingWork,
  /** Stripe's id. */
  customer_id: z.string(),
  /** The Cognito `sub`. Absent where only the customer at Stripe names the user. */
  user_id: z.optional(z.string()),
  /** When it was first left. */
  since: Timestamp,
  /** When it is tried next. */
  due: Timestamp,
  /** How often it was left. A task that is left again while it is being done stays. */
  left: z.number(),
  /** How often it was tried and failed. */
  tries: z.number(),
  /** Why it was left: the last error, without personal data. */
  failure: z.string(),
  /** Present once it isn't tried any more. */
  given_up: z.optional(z.literal(true)),
});
export type BillingTask = z.infer<typeof BillingTask>;
