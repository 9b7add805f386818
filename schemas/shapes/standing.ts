import * as z from 'zod/mini';
import { intervals } from '../product/offers.ts';
import { PaidPlanName, Timestamp } from '../rows/plan.ts';

/** In the currency's smallest unit, with Stripe's three lower-case letters. */
const Money = z.object({ amount: z.number(), currency: z.string() });

/**
 * The plan that is meant, its interval and price: the subscription's own, without discounts. Absent where
 * nothing was bought, the interval isn't sold, or the price isn't fixed.
 */
const sold = {
  plan: z.optional(PaidPlanName),
  interval: z.optional(z.enum(intervals)),
  price: z.optional(Money),
};

/** The amount of the charge. Null if it isn't known. */
const money = z.nullable(Money);

/** A payment that Stripe has not received yet. */
const unpaid = {
  /** The amount of its invoice. */
  money,
  /** Time when the plan ends although it was paid; null while it renews. */
  endsAt: z.nullable(Timestamp),
  /** End of the period that the payment is for. */
  paysUntil: Timestamp,
};
/** Stripe's page of an open invoice that can be paid. Anyone with the address has access. */
const payAt = z.nullable(z.string());

const of = <K extends string, F extends z.core.$ZodLooseShape>(kind: K, fields: F) =>
  z.object({ kind: z.literal(kind), ...sold, ...fields });

/** A user's plan and its next payment: what pages show and what a contract's page, support and mails say. */
export const Standing = z.discriminatedUnion('kind', [
  /** `endedAt`: time when a paid plan ended, if nothing was bought since; null if there was none. */
  of('free', { endedAt: z.nullable(Timestamp) }),
  /** The user has bought a plan, and the bank has not sent the money. Nothing is for sale meanwhile. */
  of('processing', {}),
  /** The user bought a plan on that day, within the last thirty, and the bank sent no money. */
  of('purchase-failed', { on: Timestamp }),
  /** The user has been on Free since then, because payments failed. */
  of('lost', { since: Timestamp, hasOpenInvoice: z.boolean() }),
  /** Stripe has stopped trying. Paying the invoice brings the plan back. */
  of('unpaid', { payAt }),
  /** A complimentary plan without a scheduled end. */
  of('complimentary', {}),
  /**
   * `on`: the end of the paid period. `chargedOn`: the next charge, with the amount that Stripe expects to
   * take. `until`: an end that support has set after further renewals.
   */
  of('renews', { on: Timestamp, until: z.nullable(Timestamp), chargedOn: Timestamp, money }),
  /**
   * Support has paused the payments, and the plan goes on: `on` is the end of the period. Null: support has
   * paused the plan too, until the subscription resumes.
   */
  of('paused', { on: z.nullable(Timestamp) }),
  /** Nothing more is charged. `renewal`: whether a renewal is free or a purchase; null if that is unknown. */
  of('ends', { on: Timestamp, renewal: z.nullable(z.enum(['free', 'purchase'])) }),
  /**
   * Stripe charges a renewal within the hour (`soon`), or can't yet (`delayed`), or the bank is processing it
   * (`processing`). `dueOn`: the day on which the invoice is due, if support has mailed one instead.
   */
  of('pending', {
    payment: z.enum(['soon', 'delayed', 'processing']),
    dueOn: z.nullable(Timestamp),
    payAt,
    ...unpaid,
  }),
  /** `nextTry`: Stripe's next try; null if Stripe doesn't try again, or a newer invoice exists. */
  of('failed', { nextTry: z.nullable(Timestamp), payAt, ...unpaid }),
]);
export type Standing = z.infer<typeof Standing>;
