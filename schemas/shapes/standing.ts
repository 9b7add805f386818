import * as z from 'zod/mini';
import { intervals } from '../product/offers.ts';
import { PaidPlanName, Timestamp } from '../rows/plan.ts';

/** In the currency's smallest unit, with Stripe's three lower-case letters. */
const Money = z.object({ amount: z.number(), currency: z.string() });

/**
 * The plan that is meant, its interval and price: the subscription's own, without discounts. Absent where
 * nothing was bought, the interval isn't sold, or the price isn't fixed.
 */
const pricedPlan = {
  plan: z.optional(PaidPlanName),
  interval: z.optional(z.enum(intervals)),
  price: z.optional(Money),
};

/** The charge of a subscription at its next renewal. */
export const Charge = z.object({
  /** Stripe's id. */
  subscription: z.string(),
  ...pricedPlan,
  /** The end of the paid period. Stripe charges about an hour later, which can be the next day. */
  on: Timestamp,
  /** The amount that Stripe expects to take. Null if Stripe wasn't asked, or can't say. */
  money: z.nullable(Money),
});
export type Charge = z.infer<typeof Charge>;

/** A charge for each subscription that renews, the next one first. Nothing else is going to be charged. */
const charges = z.array(Charge);

/** Why a payment failed. `confirm`: the bank wants its customer to confirm it. */
export const FailureCause = z.enum(['declined', 'confirm', 'no-card']);
export type FailureCause = z.infer<typeof FailureCause>;

/** Stripe's page of an open invoice that can be paid. Anyone with the address has access. */
const payAt = z.nullable(z.string());

/** A payment that Stripe has not received yet. */
const unpaid = {
  /** The amount of its invoice. Null if it isn't known. */
  money: z.nullable(Money),
  /** Time when the plan ends although it was paid; null while it renews. */
  endsAt: z.nullable(Timestamp),
  /** End of the period that the payment is for. */
  paysUntil: Timestamp,
  payAt,
  charges,
};

const of = <K extends string, F extends z.core.$ZodLooseShape>(kind: K, fields: F) =>
  z.object({ kind: z.literal(kind), ...pricedPlan, ...fields });

/**
 * A user's plan and its next payments, over all subscriptions that run: what pages show, mails say and
 * support reads. Rows keep it (`Notified`), so a field that is added later needs a default.
 */
export const Standing = z.discriminatedUnion('kind', [
  /** `endedAt`: time when a paid plan ended, if nothing was bought since; null if there was none. */
  of('free', { endedAt: z.nullable(Timestamp) }),
  /**
   * The bank is still processing the payment of a plan. Nothing is for sale meanwhile. `on`: the
   * end of the complimentary plan that the user has until then; null for a user on Free.
   */
  of('processing', { on: z.nullable(Timestamp) }),
  /** The user bought a plan on that day, within the last thirty, and the bank sent no money. */
  of('purchase-failed', { on: Timestamp }),
  /** The user has been on Free since then, because payments failed. */
  of('lost', { since: Timestamp, hasOpenInvoice: z.boolean() }),
  /** Stripe has stopped trying. Paying the invoice brings the plan back. */
  of('unpaid', { payAt }),
  /** A complimentary plan without a scheduled end. */
  of('complimentary', {}),
  /** `on`: the end of the paid period. `until`: an end that support has set after further renewals. */
  of('renews', { on: Timestamp, until: z.nullable(Timestamp), charges }),
  /**
   * Support has paused the payments, and the plan goes on: `on` is the end of the period. Null: support has
   * paused the plan too, until the subscription resumes.
   */
  of('paused', { on: z.nullable(Timestamp), charges }),
  /**
   * The plan ends on that day. `renewal`: whether a renewal is free or a purchase. Something is still charged
   * only if support has made another subscription.
   */
  of('ends', { on: Timestamp, renewal: z.enum(['free', 'purchase']), charges }),
  /**
   * Stripe charges a renewal within the hour (`soon`), or can't yet (`delayed`), or the bank is processing it
   * (`processing`).
   */
  of('pending', { payment: z.enum(['soon', 'delayed', 'processing']), ...unpaid }),
  /**
   * `nextTry`: Stripe's next try; null if Stripe doesn't try again. `lostOn`: the end of the plan unless the
   * payment arrives; null while Stripe tries. `cause`: null if Stripe wasn't asked, or can't say.
   */
  of('failed', {
    nextTry: z.nullable(Timestamp),
    lostOn: z.nullable(Timestamp),
    cause: z.nullable(FailureCause),
    ...unpaid,
  }),
  /** Stripe mails the invoices, because support has arranged it. `endsAt`: as above. */
  of('invoiced', { payAt, endsAt: z.nullable(Timestamp), charges }),
]);
export type Standing = z.infer<typeof Standing>;
