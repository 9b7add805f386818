import { intervals, isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Invoice } from '../../schemas/shapes/invoice.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import { decidePlan, type PlanDecision } from './decide-plan.ts';
import {
  COLLECTED_AFTER,
  hasFailedLate,
  isOpenContract,
  isPaymentDue,
  isPaymentProcessing,
  newestOf,
  type NextCharge,
  renewsBeforeEnd,
  type Subscription,
  wasPaid,
} from './subscription.ts';
import { isoFromUnix } from './unix-time.ts';

// Seconds.
const HOUR = 3600;
/** A purchase whose payment failed longer ago is no longer mentioned. */
const MENTIONED_FOR = 30 * 24 * HOUR;

interface Read {
  /** The user's invoices, which say which one can be paid and whether the bank is processing a payment. */
  invoices?: readonly Invoice[];
  /** The next charge, if Stripe was asked. */
  next?: NextCharge | undefined;
}

/** The user's plan and its next payment, by the row and what was read at Stripe. Decides no plan. */
export function standingOf(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  read: Read = {},
): Standing {
  return standingAfter(decidePlan(row, subscriptions, now), subscriptions, now, read);
}

/** The same, by a decision about the plan. */
export function standingAfter(
  { fields, subscription }: Pick<PlanDecision, 'fields' | 'subscription'>,
  subscriptions: readonly Subscription[],
  now: Date,
  { invoices = [], next }: Read = {},
): Standing {
  if (subscription) return paidFor(subscription, now, { invoices, next });
  const { plan, plan_expires_at: end } = fields;
  if (isPaid(plan) && end === undefined) return { kind: 'complimentary', plan };
  const processing = subscriptions.find(isPaymentProcessing);
  if (processing) return { kind: 'processing', ...soldBy(processing) };
  if (isPaid(plan) && end !== undefined) return { kind: 'ends', plan, on: end, renewal: 'purchase' };
  return onFree(subscriptions, now, invoices);
}

function onFree(subscriptions: readonly Subscription[], now: Date, invoices: readonly Invoice[]): Standing {
  const contract = subscriptions.find(isOpenContract);
  // Whatever has failed or ended beside it, this one will be charged again.
  if (contract?.state.kind === 'paused') return { kind: 'paused', ...soldBy(contract), on: null };
  const paid = newestOf(subscriptions, wasPaid);
  const last = newestOf(subscriptions, (each) => hasFailedLate(each) || wasPaid(each));
  if (last && hasFailedLate(last) && now.getTime() < ((last.endedAt ?? Infinity) + MENTIONED_FOR) * 1000) {
    return { kind: 'purchase-failed', ...soldBy(last), on: isoFromUnix(last.createdAt) };
  }
  const endedAt = paid?.endedAt;
  if (paid?.ended === 'unpaid' && paid.endsAt === undefined && endedAt !== undefined) {
    const hasOpenInvoice = openInvoiceIn(invoices) !== undefined;
    return { kind: 'lost', ...soldBy(paid), since: isoFromUnix(endedAt), hasOpenInvoice };
  }
  if (contract) return { kind: 'unpaid', ...soldBy(contract), payAt: payAtOf(invoices) };
  return { kind: 'free', ...(paid && soldBy(paid)), endedAt: isoOrNull(endedAt) };
}

function paidFor(subscription: Subscription, now: Date, { invoices = [], next }: Read): Standing {
  const { state, endsAt, currentPeriodEnd, amount, currency, latestInvoice } = subscription;
  const sold = soldBy(subscription);
  const { dueAt, collectedAt, paidAt } = latestInvoice ?? {};
  if (isPaymentDue(subscription) || state.kind === 'invoiced') {
    const due = paidAt === undefined ? latestInvoice?.amount : undefined;
    const unpaid = {
      ...sold,
      money: moneyOf(due ?? amount, currency),
      endsAt: isoOrNull(endsAt),
      paysUntil: isoFromUnix(currentPeriodEnd),
      payAt: payAtOf(invoices),
    };
    if (state.kind === 'past-due') return { kind: 'failed', ...unpaid, nextTry: isoOrNull(state.nextTryAt) };
    const isLate = collectedAt !== undefined && Math.abs(collectedAt * 1000 - now.getTime()) > HOUR * 1000;
    const isProcessing = invoices.some(({ processing }) => processing);
    const payment = isProcessing ? 'processing' : isLate ? 'delayed' : 'soon';
    return { kind: 'pending', ...unpaid, payment, dueOn: isoOrNull(dueAt) };
  }
  const on = isoFromUnix(currentPeriodEnd);
  const isUncollected = state.kind === 'uncollected';
  if (endsAt !== undefined && (isUncollected || !renewsBeforeEnd(subscription))) {
    return { kind: 'ends', ...sold, on: isoFromUnix(endsAt), renewal: 'free' };
  }
  if (isUncollected) return { kind: 'paused', ...sold, on };
  const chargedOn = isoFromUnix(next?.at ?? currentPeriodEnd + COLLECTED_AFTER);
  const money = next ? moneyOf(next.amount, next.currency) : null;
  return { kind: 'renews', ...sold, on, until: isoOrNull(endsAt), chargedOn, money };
}

const soldBy = ({ plan, interval, amount, currency }: Subscription) => {
  const known = intervals.find((each) => each === interval);
  return {
    plan,
    ...(known && { interval: known }),
    ...(amount !== undefined && { price: { amount, currency } }),
  };
};

const moneyOf = (amount: number | undefined, currency: string) =>
  amount === undefined ? null : { amount, currency };

/** An open invoice that can be paid. */
const openInvoiceIn = (invoices: readonly Invoice[]) =>
  invoices.find(({ status, processing }) => status === 'open' && !processing);

const payAtOf = (invoices: readonly Invoice[]) => openInvoiceIn(invoices)?.hosted_invoice_url ?? null;

const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : isoFromUnix(seconds);
