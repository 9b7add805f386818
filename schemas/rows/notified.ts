import * as z from 'zod/mini';
import { lowestPaidPlan } from '../product/offers.ts';
import { Standing } from '../shapes/standing.ts';
import { PaidPlanName } from './plan.ts';

// Unix seconds, as at Stripe.
const moment = z.number();
/** In the smallest unit of the currency. */
const amount = z.number();

/** A payment that has a receipt. */
export const Payment = z.object({
  plan: z._default(PaidPlanName, lowestPaidPlan),
  at: moment,
  amount,
  currency: z.string(),
  url: z.optional(z.string()),
  /** For a purchase, and not for a renewal. */
  isFirst: z.boolean(),
  /** Whole or half years from the purchase to the beginning of the paid period. */
  years: z.number(),
});
export type Payment = z.infer<typeof Payment>;

export const Refund = z.object({
  /** The purchase of the duplicate, or the end after which a payment arrived. */
  at: moment,
  /** `late`: paid after the subscription's end, such as what was on its way when the user canceled. */
  because: z.enum(['duplicate', 'late']),
  /** Absent if several payments were returned. */
  amount: z.optional(amount),
  currency: z.string(),
});
export type Refund = z.infer<typeof Refund>;

/** The contents of the last mails about a plan. The row keeps them, as JSON. */
export const Notified = z.object({
  standing: Standing,
  /** The newest payment, with the years that were mailed about. */
  paid: z.optional(Payment),
  refunded: z.optional(Refund),
  /** Whether the charges of the standing were mailed in the last thirty days before them. */
  announced: z.optional(z.literal(true)),
  /** The end that the user was reminded of. */
  reminded: z.optional(z.string()),
});
export type Notified = z.infer<typeof Notified>;
