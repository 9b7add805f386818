import * as z from 'zod/mini';
import { Timestamp } from '../rows/plan.ts';

/** A Stripe invoice, as the user who pays it sees it. */
export const Invoice = z.object({
  /** The number printed on the invoice; null if Stripe has assigned none. */
  number: z.nullable(z.string()),
  /** Time of creation. */
  date: Timestamp,
  /** Amount due, in the currency's smallest unit: cents of a dollar. */
  amount: z.number(),
  /** The part of the amount that is tax, in the same unit; absent without taxes. */
  tax: z.optional(z.number()),
  /** Refunded amount, in the same unit; absent if nothing was refunded. */
  refunded: z.optional(z.number()),
  /**
   * Present while the bank processes a payment. Until that payment arrives or fails, the invoice can't be
   * paid.
   */
  processing: z.optional(z.literal(true)),
  /** Three lower-case letters, as in Stripe. */
  currency: z.string(),
  /** Stripe's `status`: open, paid, void, uncollectible, or a later addition. */
  status: z.nullable(z.string()),
  /** Stripe's page of the invoice. Anyone with the address has access, so only the payer may get it. */
  hosted_invoice_url: z.nullable(z.url()),
  invoice_pdf: z.nullable(z.url()),
});
export type Invoice = z.infer<typeof Invoice>;
