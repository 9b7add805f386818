import * as z from 'zod/mini';
import { soldTo } from '../../schemas/product/product.ts';
import { BillingState, type FailureCause } from '../../schemas/rows/billing-state.ts';
import { lowestPaidPlan } from '../../schemas/product/offers.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { isComplimentary, type PlanDecision } from './decide-plan.ts';
import { type PlanFields } from './plan.ts';
import { standingAfter } from './standing.ts';
import { newestOf, type NextCharge, type Subscription, wasPaid } from './subscription.ts';

/** The fields of a row that say what its user knows about the plan, and the newest state. */
export type BillingStateFields = Pick<
  UserPlan,
  'billing_seen' | 'billing_notified' | 'billing_maybe_notified'
>;

// Seconds.
const DAY = 86_400;
/** Reminders of what a plan costs, in a year. */
const REMINDERS = soldTo.has('uk') ? 2 : 1;

/** Facts that only Stripe knows and that a mail names. */
export interface NoticeFacts {
  preview?: NextCharge | undefined;
  cause?: FailureCause | undefined;
}

/** The state that the user of a row was notified of, and the newest one. */
interface States {
  notified: BillingState;
  seen: BillingState;
  /** The states that the user was notified of instead if mails whose sending was cut off have arrived. */
  maybeNotified: BillingState[];
}

/** The states of a row. Undefined if there is nothing to notify about. */
export function statesOf(row: BillingStateFields): States | undefined {
  const { billing_notified: notified, billing_seen: seen, billing_maybe_notified: maybe } = row;
  if (notified === undefined || seen === undefined) return undefined;
  const maybeNotified = maybe === undefined ? [] : z.array(BillingState).parse(JSON.parse(maybe));
  return { notified: parse(notified), seen: parse(seen), maybeNotified };
}

const parse = (text: string): BillingState => BillingState.parse(JSON.parse(text));

/** The text of a state in the row. */
export const stateText = (state: BillingState): string => JSON.stringify(state);

const planIn = (row: PlanFields): BillingState => ({
  plan: row.plan,
  complimentary: isComplimentary(row) || undefined,
  ends: row.plan_expires_at,
});

/** The fields to write with a decision. */
export function billingStateFields(
  row: UserPlan,
  decision: Pick<PlanDecision, 'fields' | 'subscription'>,
  subscriptions: readonly Subscription[],
  now: Date,
  facts: NoticeFacts = {},
): BillingStateFields {
  const standing = standingAfter(decision, subscriptions, now);
  const seen = seenIn(row, { ...decision, standing }, subscriptions, facts);
  const isNew = row.billing_notified === undefined;
  if (isNew && stateText(seen) === stateText({ plan: 'free' })) return {};
  return {
    billing_seen: stateText(seen),
    // Only the sender of mails replaces what was notified.
    ...(isNew && { billing_notified: stateText(planIn(row)) }),
  };
}

function seenIn(
  row: UserPlan,
  { fields, subscription, standing }: Pick<PlanDecision, 'fields' | 'subscription'> & { standing: Standing },
  subscriptions: readonly Subscription[],
  facts: NoticeFacts,
): BillingState {
  const before = row.billing_seen === undefined ? planIn(row) : parse(row.billing_seen);
  const paid = newer(before.paid, subscription && paymentIn(subscription));
  const refunded = newerRefund(before.refunded, subscriptions, row);
  const purchaseFailed =
    standing.kind === 'purchase-failed'
      ? { boughtAt: Date.parse(standing.on) / 1000, plan: standing.plan ?? lowestPaidPlan }
      : before.purchaseFailed;
  if (fields.plan === 'free') {
    const isDecided = before.plan === 'free' && before.ended !== 'paused';
    const ended = isDecided ? before.ended : reasonOfEnd(before, standing, subscriptions);
    return { plan: 'free', paid, ended, refunded, purchaseFailed };
  }
  return {
    plan: fields.plan,
    complimentary: isComplimentary(fields) || undefined,
    ends: fields.plan_expires_at,
    nextCharge:
      subscription && standing.kind === 'renews'
        ? nextChargeOf(subscription, before.nextCharge, facts)
        : undefined,
    paid,
    failed:
      subscription && standing.kind === 'failed' ? failureIn(subscription, before.failed, facts) : undefined,
    refunded,
    purchaseFailed,
  };
}

type Payment = NonNullable<BillingState['paid']>;

function paymentIn(subscription: Subscription): Payment | undefined {
  const { plan, latestInvoice, lastPaid = latestInvoice, createdAt, currency } = subscription;
  if (lastPaid?.paidAt === undefined) return undefined;
  const { id: invoice, paidAt: at, amount, url, isFirst, periodStart } = lastPaid;
  // A second more or less between purchase and period makes no other year.
  const days = Math.round((periodStart - createdAt) / DAY);
  const years = Math.max(0, Math.floor((days / 365) * REMINDERS) / REMINDERS);
  return { plan, at, invoice, amount, currency, url, isFirst, years };
}

const newer = (known: Payment | undefined, read: Payment | undefined): Payment | undefined =>
  known && (!read || read.at <= known.at) ? known : read;

/** The amount is known where the duplicate was paid once. */
function newerRefund(
  known: BillingState['refunded'],
  subscriptions: readonly Subscription[],
  { id }: UserPlan,
): BillingState['refunded'] {
  const newest = newestOf(
    subscriptions,
    ({ ended, refund, userId }) => ended === 'duplicate' && refund === 'done' && userId === id,
  );
  if (!newest || (known && newest.createdAt <= known.boughtAt)) return known;
  const { createdAt: boughtAt, currency, latestInvoice: invoice } = newest;
  const amount = invoice?.isFirst && invoice.paidAt !== undefined ? invoice.amount : undefined;
  return { boughtAt, amount, currency };
}

/** The answer of Stripe about a charge is kept for as long as that charge stays the same. */
function nextChargeOf(
  subscription: Subscription,
  before: BillingState['nextCharge'],
  { preview: asked }: NoticeFacts,
): BillingState['nextCharge'] {
  const { currentPeriodEnd: at, amount: listed, currency, interval } = subscription;
  const isSame = before?.at === at && before.listed === listed && before.currency === currency;
  const preview = asked ? { at: asked.at, amount: asked.amount } : isSame ? before.preview : undefined;
  return { at, listed, currency, interval, preview };
}

function failureIn(
  subscription: Subscription,
  before: BillingState['failed'],
  facts: NoticeFacts,
): BillingState['failed'] {
  const { state, latestInvoice, currency } = subscription;
  if (state.kind !== 'past-due' || !latestInvoice || latestInvoice.paidAt !== undefined) return undefined;
  const { nextTryAt, triesEndAt } = state;
  const { id: invoice, amount, url } = latestInvoice;
  const cause = facts.cause ?? (before?.invoice === invoice ? before.cause : undefined);
  return { invoice, amount, currency, url, nextTryAt, triesEndAt, cause };
}

function reasonOfEnd(
  before: BillingState,
  { kind }: Standing,
  subscriptions: readonly Subscription[],
): BillingState['ended'] {
  if (before.complimentary) return 'scheduled';
  const ended = newestOf(subscriptions, wasPaid)?.ended;
  if (ended === 'withdrawn') return 'withdrawn';
  if (kind === 'paused') return 'paused';
  if (before.ended === 'paused') return 'canceled';
  if (kind === 'lost' || kind === 'unpaid' || ended === 'unpaid') return 'unpaid';
  if (ended === 'declined') return 'declined';
  return before.ends === undefined ? 'other' : 'scheduled';
}
