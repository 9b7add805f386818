import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/** An invoice of Stripe's, as the person who pays it may see it. */
export const Invoice = z.object({
  /** As it stands on the paper; null where Stripe has given it none. */
  number: z.nullable(z.string()),
  /** When it was made. */
  date: Timestamp,
  /** What it asks for, in the currency's smallest unit: cents of a dollar. */
  amount: z.number(),
  /** What of it was given back, in the same unit; absent where nothing was. */
  refunded: z.optional(z.number()),
  /** Three letters, lower-case, as Stripe writes them. */
  currency: z.string(),
  /** Stripe's word: open, paid, void, uncollectible, or one it adds later. */
  status: z.nullable(z.string()),
  /** Stripe's page of it. The address is a key in itself and goes to nobody but its person. */
  hosted_invoice_url: z.nullable(z.url()),
  invoice_pdf: z.nullable(z.url()),
});
export type Invoice = z.infer<typeof Invoice>;
