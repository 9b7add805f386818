import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/**
 * The work to do for a customer. `reconcile`: as after an event. `end`: end all billing, since the account is
 * deleted. `check-user`: check whether the user exists. `check-user-again`: check once more, and end the
 * billing if not. `address`: write the user's address to the customer. `deletion`: delete the account, as
 * support has ordered. `address-change`: make a change whose time has come. `tries-end`: decide the plan of a
 * past due subscription again, since Stripe sends no event once its tries are over. `notify`: mail what has
 * happened to the plan. `remind`: mail that it ends soon.
 */
export const BillingWork = z.enum([
  'reconcile',
  'end',
  'check-user',
  'check-user-again',
  'address',
  'deletion',
  'address-change',
  'tries-end',
  'notify',
  'remind',
]);
export type BillingWork = z.infer<typeof BillingWork>;

/** An item of the StripeWork table. */
export const BillingTask = z.object({
  work: BillingWork,
  /** Stripe's id; for `deletion`, `address-change`, `notify` and `remind`, the user's. */
  customer_id: z.string(),
  /** The Cognito `sub`. Absent if only the customer at Stripe names the user. */
  user_id: z.optional(z.string()),
  since: Timestamp,
  due: Timestamp,
  /** Number of times that the task was enqueued. A task that is enqueued again while it runs stays. */
  left: z.number(),
  tries: z.number(),
  /** The last error, without personal data. */
  failure: z.string(),
  given_up: z.optional(z.literal(true)),
});
export type BillingTask = z.infer<typeof BillingTask>;
