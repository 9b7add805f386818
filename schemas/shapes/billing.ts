import * as z from 'zod/mini';
import { Invoice } from './invoice.ts';
import { Standing } from './standing.ts';

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

/** A user's plan, payments and invoices, read from Stripe. */
export const BillingResponse = z.object({
  standing: Standing,
  /** The means of payment of the next charge. Null without a subscription, or if Stripe has none. */
  paymentMethod: z.nullable(PaymentMethod),
  /** Newest first. */
  invoices: z.array(Invoice),
});
export type BillingResponse = z.infer<typeof BillingResponse>;

/**
 * A page of Stripe's customer portal. `card`: the card of the next charges. `invoice-details`: the name,
 * address and tax id on the next invoices.
 */
export const PortalPage = z.enum(['card', 'invoice-details']);
export type PortalPage = z.infer<typeof PortalPage>;
