import type Stripe from 'stripe';
import { lowestPaidPlan, type PaidPlan, paidPlans, plans } from '../../../schemas/product/offers.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { agreementIn } from '../../domain/agreement.ts';
import { isBasedOn } from '../../domain/decide-plan.ts';
import { isOurs, ownerIn } from '../../domain/mark.ts';
import {
  type EndReason,
  type FirstPayment,
  LATE_TRY,
  type RefundStatus,
  type Subscription,
  type SubscriptionInvoice,
  type SubscriptionState,
} from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

const endReasons = ['duplicate', 'withdrawn', 'declined', 'unpaid'] as const satisfies readonly EndReason[];
const refundStatuses = ['due', 'done', 'none'] as const satisfies readonly RefundStatus[];

/** The field that every request for a subscription expands. */
export const SUBSCRIPTION_EXPANSION = 'latest_invoice';
export const expand = [SUBSCRIPTION_EXPANSION];
/** The largest page of a list of subscriptions. */
export const PAGE = { limit: 100, expand: [`data.${SUBSCRIPTION_EXPANSION}`] };

const DAY = 86_400;

/**
 * Seconds from a renewal to the end of Plus if its payment failed and Stripe doesn't try again by itself.
 * Stripe recommends eight tries within two weeks, and one day is for the last. The cardholder has the same
 * time for a payment to authenticate, which isn't tried again at all
 * (https://support.stripe.com/questions/subscription-retries-for-failed-3d-secure-authorizations).
 */
export const TRIES_LAST = 15 * DAY;

/** Whether the row's plan is based on the subscription. */
export const isRowBasedOn = (row: UserPlan, subscription: Stripe.Subscription): boolean =>
  isBasedOn(row, { id: subscription.id, endsAt: endOf(subscription) });

/** Whether a subscription has our mark, or only marked prices, as support makes it in the dashboard. */
export function isOwn(subscription: Stripe.Subscription, stage: string): boolean {
  const owner = ownerIn(subscription.metadata, stage);
  return owner.kind === 'unmarked' ? hasOwnPrices(subscription, stage) : owner.kind === 'ours';
}

/** A subscription with several items may include another product's. */
const hasOwnPrices = ({ items }: Stripe.Subscription, stage: string): boolean =>
  items.data.length > 0 && items.data.every(({ price }) => isOurs(price.metadata, stage));

/** Stripe keeps the period on the items. A subscription of ours has one item. */
const currentPeriodEndOf = ({ created, items }: Stripe.Subscription): number =>
  Math.max(created, ...items.data.map((item) => item.current_period_end));

const endOf = (subscription: Stripe.Subscription): number | undefined =>
  subscription.cancel_at ??
  (subscription.cancel_at_period_end ? currentPeriodEndOf(subscription) : undefined);

/** Reads a subscription of ours, expanded. `older`: the newest open invoice where `mayHaveOlderDue`. */
export function toSubscription(
  subscription: Stripe.Subscription,
  stage: string,
  older?: Stripe.Invoice,
  now = new Date(),
): Subscription {
  const { cancellation_details: details, metadata } = subscription;
  const owner = ownerIn(metadata, stage);
  const userId = owner.kind === 'ours' ? owner.userId : undefined;
  const invoice = expandedInvoice(subscription);
  const failed = [invoice, older].find((each) => each && hasFailed(each));
  const state = stateOf(subscription, { latest: invoice, failed }, now.getTime() / 1000);
  const waiting = invoice?.status === 'draft' || invoice?.status === 'open' ? invoice : older;
  const due = state.kind === 'renewing' ? invoice : (failed ?? waiting);
  return {
    id: subscription.id,
    plan: planOf(subscription),
    customerId: idOf(subscription.customer),
    userId,
    state,
    createdAt: subscription.created,
    agreement: agreementIn(metadata),
    currentPeriodEnd: currentPeriodEndOf(subscription),
    endsAt: endOf(subscription),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    // Stripe may end a subscription days after the user has canceled.
    endedAt: (Number(metadata['ended_at']) || subscription.ended_at) ?? undefined,
    amount: renewalAmountOf(subscription),
    currency: subscription.currency,
    interval: intervalOf(subscription),
    latestInvoice: invoice && toInvoice(invoice),
    dueInvoice: due && toInvoice(due),
    ended:
      endReasons.find((reason) => reason === metadata['ended']) ??
      (details?.reason === 'payment_failed' ? 'unpaid' : undefined),
    refund: refundStatuses.find((status) => status === metadata['refund']),
    invoicesVoided: metadata['closed'] === 'yes',
  };
}

/**
 * The plan of the highest rank among its prices. A subscription of ours has one item. A price that names no
 * plan of this version gives the lowest paid plan.
 */
const planOf = ({ items }: Stripe.Subscription): PaidPlan =>
  items.data
    .map(({ price }) => paidPlans.find((plan) => plan === price.metadata['plan']) ?? lowestPaidPlan)
    .toSorted((one, other) => plans[other].rank - plans[one].rank)[0] ?? lowestPaidPlan;

/** Undefined if a price has tiers or a fraction of a cent: such a price has no `unit_amount`. */
function renewalAmountOf({ items }: Stripe.Subscription): number | undefined {
  const amounts = items.data.map(({ price, quantity = 1 }) =>
    price.unit_amount === null ? undefined : price.unit_amount * quantity,
  );
  return amounts.reduce(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  );
}

function intervalOf({ items }: Stripe.Subscription): string | undefined {
  const { interval, interval_count: count } = items.data[0]?.price.recurring ?? {};
  return count === 1 ? interval : undefined;
}

export const toInvoice = (invoice: Stripe.Invoice): SubscriptionInvoice => {
  const isPaid = invoice.status === 'paid';
  const ownLine = invoice.lines.data.find(({ parent }) => parent?.type === 'subscription_item_details');
  return {
    id: invoice.id,
    isFirst: invoice.billing_reason === 'subscription_create',
    paidAt: isPaid ? (invoice.status_transitions.paid_at ?? invoice.created) : undefined,
    amount: isPaid ? invoice.amount_paid : invoice.amount_due,
    collectedAt: invoice.status === 'draft' ? collectedAtOf(invoice) : undefined,
    url: invoice.hosted_invoice_url ?? undefined,
    // Stripe sorts items that support has added before the subscription's own.
    periodStart: (ownLine ?? invoice.lines.data[0])?.period.start ?? invoice.period_start,
  };
};

/** About an hour after the draft, and up to 72 hours by the account's settings or a slow webhook endpoint. */
const collectedAtOf = ({ automatically_finalizes_at: at, last_finalization_error: error }: Stripe.Invoice) =>
  error ? Infinity : (at ?? undefined);

/**
 * Whether Stripe is going to collect a renewal's invoice, or the bank is processing its payment. Nothing is
 * taken where the collection is off, as on invoices from a pause. Those from before it are still collected
 * (https://docs.stripe.com/billing/subscriptions/pause-payment).
 */
const isRenewalPending = (latest: Stripe.Invoice | undefined): boolean =>
  latest?.billing_reason === 'subscription_cycle' &&
  latest.collection_method === 'charge_automatically' &&
  latest.auto_advance !== false &&
  // A voucher or credit pays the whole renewal.
  latest.amount_due !== 0 &&
  (latest.status === 'draft' || latest.status === 'open');

/** Whether Stripe's try to take the money failed. It never tries drafts and mailed invoices. */
const hasFailed = (invoice: Stripe.Invoice): boolean =>
  invoice.status === 'open' && invoice.attempted && invoice.collection_method === 'charge_automatically';

/** How support has arranged that Stripe collects. */
const arranged = ({
  collection_method: method,
  pause_collection: pause,
}: Stripe.Subscription): SubscriptionState & { kind: 'active' | 'invoiced' | 'uncollected' } => ({
  kind: method === 'send_invoice' ? 'invoiced' : pause === null ? 'active' : 'uncollected',
});

/**
 * Stripe keeps a subscription past due by a setting for failed payments. While support has paused the
 * payments, or has the invoices mailed, a payment that isn't tried again ends nothing.
 */
function pastDue(
  failed: Stripe.Invoice,
  latest: Stripe.Invoice | undefined,
  subscription: Stripe.Subscription,
  seconds: number,
): SubscriptionState {
  const next = failed.auto_advance === false ? null : failed.next_payment_attempt;
  if (next !== null && next > seconds - LATE_TRY) return { kind: 'past-due', nextTryAt: next };
  // A newer renewal is still to be tried.
  if (latest !== failed && isRenewalPending(latest)) return { kind: 'renewing' };
  const arrangement = arranged(subscription);
  if (arrangement.kind !== 'active') return arrangement;
  const triesEndAt = failed.created + TRIES_LAST;
  return triesEndAt <= seconds ? { kind: 'given-up', triesEndAt } : { kind: 'past-due', triesEndAt };
}

/** Whether the invoice that is due can be an older one than the latest. */
export const mayHaveOlderDue = (subscription: Stripe.Subscription): boolean =>
  (subscription.status === 'past_due' || subscription.status === 'unpaid') &&
  expandedInvoice(subscription)?.status !== 'open';

/** Active before the first payment, and past due while Stripe still tries to collect. */
const runs = ({ status }: Stripe.Subscription): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due';

function stateOf(
  subscription: Stripe.Subscription,
  { latest, failed }: { latest: Stripe.Invoice | undefined; failed: Stripe.Invoice | undefined },
  seconds: number,
): SubscriptionState {
  const { status } = subscription;
  if (status === 'canceled') return { kind: 'canceled', firstPayment: firstPaymentOf(latest) };
  if (status === 'incomplete_expired') return { kind: 'expired' };
  if (status === 'unpaid') return { kind: 'unpaid' };
  if (status === 'paused') return { kind: 'paused' };
  if (status === 'incomplete') return { kind: 'incomplete' };
  if (!runs(subscription)) return { kind: 'unknown' };
  const first = firstPaymentOf(latest);
  if (first !== 'paid') return { kind: first === 'failed' ? 'never-paid' : first };
  if (failed && status === 'past_due') return pastDue(failed, latest, subscription, seconds);
  // A renewal from before support's arrangement is still charged.
  return isRenewalPending(latest) ? { kind: 'renewing' } : arranged(subscription);
}

/** Whether only an earlier invoice can have paid: the latest is of a renewal, and isn't paid. */
export const isPaidByEarlier = (subscription: Stripe.Subscription): boolean => {
  const latest = expandedInvoice(subscription);
  return (
    runs(subscription) &&
    latest?.billing_reason === 'subscription_cycle' &&
    latest.collection_method === 'charge_automatically' &&
    latest.status !== 'paid'
  );
};

/** Read from the latest invoice. `subscriptionsOf` asks about the first where a later one isn't paid. */
function firstPaymentOf(latest: Stripe.Invoice | undefined): FirstPayment {
  // Support decides about invoices that it sends by mail.
  const isFirst =
    latest?.billing_reason === 'subscription_create' && latest.collection_method === 'charge_automatically';
  if (!isFirst || latest.status === 'paid') return 'paid';
  return latest.status === 'open' || latest.status === 'draft' ? 'processing' : 'failed';
}

/** Statuses that Stripe never changes again. */
export const hasEndedAtStripe = ({ status }: Stripe.Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

function expandedInvoice({ id, latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | undefined {
  if (typeof invoice === 'string') throw new Error(`The latest invoice of ${id} was not expanded.`);
  return invoice ?? undefined;
}
