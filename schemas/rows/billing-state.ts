import * as z from 'zod/mini';
import { lowestPaidPlan } from '../product/offers.ts';
import { PaidPlanName, PlanName } from './plan.ts';

// Unix seconds, as at Stripe.
const moment = z.number();
/** In the smallest unit of the currency. */
const amount = z.number();
const text = z.string();

/** Why a payment failed. `confirm`: the bank wants its customer to confirm it. */
export const FailureCause = z.enum(['declined', 'confirm', 'no-card']);
export type FailureCause = z.infer<typeof FailureCause>;

/**
 * The facts about a user's plan that a mail can be about. A row keeps two of these, as JSON: what the newest
 * decision knows (`billing_seen`), and what the user was mailed (`billing_notified`).
 */
export const BillingState = z.object({
  plan: PlanName,
  /** A paid plan without a payment. */
  complimentary: z.optional(z.literal(true)),
  /** The end of Plus, ISO 8601. Absent while Plus goes on. */
  ends: z.optional(text),
  /** Absent if nothing is going to be charged, or if a payment is due already. */
  nextCharge: z.optional(
    z.object({
      /** The end of the paid period. */
      at: moment,
      /** By the prices of the subscription's items. */
      listed: z.optional(amount),
      currency: text,
      interval: z.optional(text),
      /** The charge as Stripe expects it. Absent until Stripe was asked about it. */
      preview: z.optional(z.object({ at: moment, amount })),
      /** Whether the user was mailed about the charge in its last thirty days. Only in `billing_notified`. */
      announced: z.optional(z.literal(true)),
    }),
  ),
  /** The newest payment. */
  paid: z.optional(
    z.object({
      /** The plan that was paid. */
      plan: z._default(PaidPlanName, lowestPaidPlan),
      at: moment,
      invoice: text,
      amount,
      currency: text,
      /** Stripe's page of the invoice. */
      url: z.optional(text),
      /** For a purchase, and not for a renewal. */
      isFirst: z.boolean(),
      /** Whole or half years from the purchase to the beginning of the paid period, as mailed about. */
      years: z.number(),
    }),
  ),
  /** A payment that failed and is still due. */
  failed: z.optional(
    z.object({
      invoice: text,
      amount,
      currency: text,
      url: z.optional(text),
      /** Absent if Stripe doesn't try again. */
      nextTryAt: z.optional(moment),
      /** The end of Plus unless the payment arrives. Absent while Stripe tries. */
      triesEndAt: z.optional(moment),
      /** Absent until Stripe was asked. */
      cause: z.optional(FailureCause),
    }),
  ),
  /** The newest purchase whose payment failed days later. */
  purchaseFailed: z.optional(z.object({ boughtAt: moment, plan: PaidPlanName })),
  /**
   * The reason for which Plus ended. `scheduled`: as mailed before. `declined`: cancelled while a payment
   * was due. `unpaid`: the payments failed. `other`: support, or a bank, ended the subscription.
   * `withdrawn`: the user has withdrawn from the contract. `paused`: support has paused the subscription.
   * `canceled`: a paused one was canceled.
   */
  ended: z.optional(z.enum(['scheduled', 'declined', 'unpaid', 'withdrawn', 'paused', 'canceled', 'other'])),
  /** The newest duplicate whose payment was refunded. */
  refunded: z.optional(z.object({ boughtAt: moment, amount: z.optional(amount), currency: text })),
  /** The end (`ends`) that the user was reminded of. Only in `billing_notified`. */
  reminded: z.optional(text),
});
export type BillingState = z.infer<typeof BillingState>;
