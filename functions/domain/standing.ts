import { intervals, isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Invoice } from '../../schemas/shapes/invoice.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import { decidePlan } from './decide-plan.ts';
import {
  hasEntitlingStatus,
  isPaymentDue,
  isPaymentProcessing,
  isResumable,
  newestOf,
  renewsBeforeEnd,
  type Subscription,
  wasPaid,
} from './subscription.ts';
import { isoFromUnix } from './unix-time.ts';

/** Seconds. A purchase whose payment failed longer ago is no longer mentioned. */
const MENTIONED_FOR = 30 * 24 * 60 * 60;

/**
 * The user's plan and its next payment, by the row and Stripe's subscriptions. Decides no plan. `invoices`:
 * the user's, which say which one can be paid and whether the bank is processing a payment.
 */
export function standingOf(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  invoices: readonly Invoice[] = [],
): Standing {
  const { fields, subscription } = decidePlan(row, subscriptions, now);
  if (subscription) return paidFor(subscription, invoices);
  const { plan, plan_expires_at: end } = fields;
  if (isPaid(plan) && end === undefined) return { kind: 'complimentary', plan };
  const processing = subscriptions.find(isPaymentProcessing);
  if (processing) return { kind: 'processing', ...soldBy(processing) };
  if (isPaid(plan) && end !== undefined) return { kind: 'ends', plan, on: end, renewal: 'purchase' };
  return onFree(subscriptions, now, invoices);
}

function onFree(subscriptions: readonly Subscription[], now: Date, invoices: readonly Invoice[]): Standing {
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
  const contract = openContract(subscriptions);
  if (contract?.status === 'paused') return { kind: 'paused', ...soldBy(contract), on: null };
  if (contract) return { kind: 'unpaid', ...soldBy(contract), payAt: payAtOf(invoices) };
  return { kind: 'free', ...(paid && soldBy(paid)), endedAt: isoOrNull(endedAt) };
}

function paidFor(subscription: Subscription, invoices: readonly Invoice[]): Standing {
  const { status, endsAt, currentPeriodEnd, collectionPaused, amount, currency, nextTryAt, latestInvoice } =
    subscription;
  const sold = soldBy(subscription);
  if (isPaymentDue(subscription)) {
    const due = latestInvoice?.paidAt === undefined ? latestInvoice?.amount : undefined;
    const unpaid = {
      ...sold,
      money: moneyOf(due ?? amount, currency),
      endsAt: isoOrNull(endsAt),
      paysUntil: isoFromUnix(currentPeriodEnd),
    };
    return status === 'past_due'
      ? { kind: 'failed', ...unpaid, nextTry: isoOrNull(nextTryAt), payAt: payAtOf(invoices) }
      : { kind: 'pending', ...unpaid, isProcessing: invoices.some(({ processing }) => processing) };
  }
  const on = isoFromUnix(currentPeriodEnd);
  if (endsAt !== undefined && (collectionPaused || !renewsBeforeEnd(subscription))) {
    return { kind: 'ends', ...sold, on: isoFromUnix(endsAt), renewal: 'free' };
  }
  if (collectionPaused) return { kind: 'paused', ...sold, on };
  return { kind: 'renews', ...sold, on, until: isoOrNull(endsAt), money: moneyOf(amount, currency) };
}

/**
 * A contract that gives no plan and hasn't ended: Stripe has stopped trying to collect, or support has paused
 * the subscription. It can be paid or resumed, and canceled.
 */
export const openContract = (subscriptions: readonly Subscription[]): Subscription | undefined =>
  subscriptions.find(
    (each) =>
      isResumable(each) && (each.status === 'unpaid' || each.status === 'paused' || isPaymentDue(each)),
  );

/** A subscription whose first payment is declined at once never becomes active, and expires. */
const hasFailedLate = (subscription: Subscription): boolean =>
  subscription.firstPayment === 'failed' &&
  (subscription.status === 'canceled' || hasEntitlingStatus(subscription));

const soldBy = ({ plan, interval }: Subscription) => {
  const known = intervals.find((each) => each === interval);
  return { plan, ...(known && { interval: known }) };
};

const moneyOf = (amount: number | undefined, currency: string) =>
  amount === undefined ? null : { amount, currency };

/** An open invoice that can be paid. */
const openInvoiceIn = (invoices: readonly Invoice[]) =>
  invoices.find(({ status, processing }) => status === 'open' && !processing);

const payAtOf = (invoices: readonly Invoice[]) => openInvoiceIn(invoices)?.hosted_invoice_url ?? null;

const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : isoFromUnix(seconds);
