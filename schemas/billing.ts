import * as z from 'zod/mini';
import { Invoice } from './invoice.ts';
import { Timestamp } from './plan.ts';

/** What somebody pays and has paid, as Stripe has it at this moment. */
export const BillingOverview = z.object({
  /** The one their Plus rests on; else one that may come back to life; null where there is neither. */
  subscription: z.nullable(
    z.object({
      /**
       * Stripe's word. `past_due`: the last payment failed, and Stripe is still trying. `unpaid`, `paused`, `incomplete`: it
       * gives no Plus.
       */
      status: z.string(),
      /** End of the period that is billed, whether its payment has come in or not. */
      currentPeriodEnd: Timestamp,
      /** When it ends; null while it renews by itself. */
      endsAt: z.nullable(Timestamp),
    }),
  ),
  /** Newest first. */
  invoices: z.array(Invoice),
});
export type BillingOverview = z.infer<typeof BillingOverview>;

/** Where Stripe's own page for cards is. The address is a key in itself and holds for minutes. */
export const UpdateCardResponse = z.object({ url: z.url() });
export type UpdateCardResponse = z.infer<typeof UpdateCardResponse>;
