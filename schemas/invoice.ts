import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/** A Stripe invoice, as shown to the user who pays it. */
export const Invoice = z.object({
  /** As printed on the invoice; null if Stripe has assigned none. */
  number: z.nullable(z.string()),
  /** When it was created. */
  date: Timestamp,
  /** Amount due, in the currency's smallest unit: cents of a dollar. */
  amount: z.number(),
  /** Refunded amount, in the same unit; absent if nothing was refunded. */
  refunded: z.optional(z.number()),
  /** Three lower-case letters, as in Stripe. */
  currency: z.string(),
  /** Stripe's `status`: open, paid, void, uncollectible, or a later addition. */
  status: z.nullable(z.string()),
  /** Stripe's page of the invoice. The address grants access by itself, so only the payer may get it. */
  hosted_invoice_url: z.nullable(z.url()),
  invoice_pdf: z.nullable(z.url()),
});
export type Invoice = z.infer<typeof Invoice>;
