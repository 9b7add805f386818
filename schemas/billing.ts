import * as z from 'zod/mini';
import { Invoice } from './invoice.ts';
import { Timestamp } from './plan.ts';

/** A user's subscription and invoices, read from Stripe. */
export const BillingOverview = z.object({
  /** The active subscription, else a resumable one; null if there is neither. */
  subscription: z.nullable(
    z.object({
      /**
       * Stripe's `status`. `past_due`: the last payment failed, and Stripe retries. `unpaid`, `paused`,
       * `incomplete`: the subscription gives no Plus.
       */
      status: z.string(),
      /** End of the billed period, paid or not. */
      currentPeriodEnd: Timestamp,
      /** When the subscription ends; null while it renews. */
      endsAt: z.nullable(Timestamp),
      /**
       * What the next renewal charges by the subscription's own price, in the currency's smallest unit: cents
       * of a dollar. Leaves out taxes and discounts. Null if the price has no fixed amount.
       */
      amount: z.nullable(z.number()),
      /** Three lower-case letters, as in Stripe. */
      currency: z.string(),
      /** When Stripe next tries the payment that failed; null if none failed, or Stripe doesn't try again. */
      nextTry: z.nullable(Timestamp),
      /**
       * Whether the current period is not paid yet: the payment failed, or Stripe takes it within the hour
       * after the renewal. A cancellation then ends Plus at once.
       */
      paymentDue: z.boolean(),
    }),
  ),
  /** When Plus ended because payments failed, if the user has bought nothing since; null otherwise. */
  lostAt: z.nullable(Timestamp),
  /** Newest first. */
  invoices: z.array(Invoice),
});
export type BillingOverview = z.infer<typeof BillingOverview>;

/** Address of Stripe's page for changing the card. It grants access by itself, for a few minutes. */
export const UpdateCardResponse = z.object({ url: z.url() });
export type UpdateCardResponse = z.infer<typeof UpdateCardResponse>;
