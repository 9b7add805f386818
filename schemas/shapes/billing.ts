import * as z from 'zod/mini';
import { Invoice } from './invoice.ts';
import { intervals } from '../product/offers.ts';
import { PaidPlanName, Timestamp } from '../rows/plan.ts';

/** The means of payment that a subscription is charged with. */
export const PaymentMethod = z.object({
  /** Stripe's `type`: `card`, or `link` for a payment through Link. */
  type: z.string(),
  /** Null if the type isn't `card`. */
  card: z.nullable(
    z.object({
      /** Stripe's `brand`, such as `visa`. */
      brand: z.string(),
      last4: z.string(),
      /** The card is good until the end of this month, 1 to 12. */
      expMonth: z.number(),
      expYear: z.number(),
      /** Stripe's type of the wallet that holds the card, such as `apple_pay`; null if there is none. */
      wallet: z.nullable(z.string()),
    }),
  ),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** A user's subscription and invoices, read from Stripe. */
export const BillingOverview = z.object({
  /**
   * The active subscription, or else a resumable one unless the plan is complimentary; null if there is
   * neither.
   */
  subscription: z.nullable(
    z.object({
      plan: PaidPlanName,
      /** Stripe's word; null if a renewal comes after several intervals, or after one that isn't sold. */
      interval: z.nullable(z.enum(intervals)),
      /**
       * Stripe's `status`. `past_due`: the last payment failed, and Stripe retries. `unpaid`, `paused`,
       * `incomplete`: the subscription gives no Plus.
       */
      status: z.string(),
      /** End of the billed period, paid or not. */
      currentPeriodEnd: Timestamp,
      /** Time when the subscription ends; null while it renews. */
      endsAt: z.nullable(Timestamp),
      /**
       * Charge of the next renewal by the subscription's own price, in the currency's smallest unit: cents of
       * a dollar. Includes taxes, and leaves out discounts. Null if the price has no fixed amount.
       */
      amount: z.nullable(z.number()),
      /** Three lower-case letters, as in Stripe. */
      currency: z.string(),
      /**
       * Time of Stripe's next try of a failed payment. Null if no payment failed, if Stripe doesn't try
       * again, or if a newer invoice exists, which Stripe does charge.
       */
      nextTry: z.nullable(Timestamp),
      /**
       * Whether the current period is not paid yet: it failed, or is on its way. Stripe charges within
       * an hour after the renewal, and a bank can take days. A cancellation then ends Plus at once.
       */
      paymentDue: z.boolean(),
      /** Whether support has paused the payments: Plus goes on, and nothing is charged. */
      paused: z.boolean(),
      /** Null if Stripe has none to charge. */
      paymentMethod: z.nullable(PaymentMethod),
    }),
  ),
  /**
   * The latest purchase, if its payment has not arrived; null otherwise. `processing`: Plus begins once the
   * bank has sent the money, which can take days; until then nothing can be bought. `failed`: the bank sent
   * no money, within the last thirty days.
   */
  purchase: z.nullable(
    z.object({ plan: PaidPlanName, payment: z.enum(['processing', 'failed']), boughtAt: Timestamp }),
  ),
  /** Time when Plus ended for whatever reason, if the user has bought nothing since; null otherwise. */
  endedAt: z.nullable(Timestamp),
  /** Time when Plus ended because payments failed, if the user has bought nothing since; null otherwise. */
  lostAt: z.nullable(Timestamp),
  /** Newest first. */
  invoices: z.array(Invoice),
});
export type BillingOverview = z.infer<typeof BillingOverview>;

/**
 * A page of Stripe's customer portal. `card`: the card of the next charges. `invoice-details`: the name,
 * address and tax id on the next invoices.
 */
export const PortalPage = z.enum(['card', 'invoice-details']);
export type PortalPage = z.infer<typeof PortalPage>;

export const BillingPortalRequest = z.strictObject({ page: PortalPage });

/** Address of the page. Anyone with the address has access, for a few minutes. */
export const BillingPortalResponse = z.object({ url: z.url() });
