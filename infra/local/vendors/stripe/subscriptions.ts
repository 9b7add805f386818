import type Stripe from 'stripe';
import { afterInvoice } from './coupons.ts';
import { idOf } from './ids.ts';
import { collectInvoice, markVoid, stopCollecting, type Attempt } from './collect-invoice.ts';
import { subscriptionIdOf } from './invoice-store.ts';
import { announceInvoice, createFirstInvoice, createRenewalInvoice, upcomingInvoice } from './invoices.ts';
import type { Ledger } from './ledger.ts';
import { intervalOf, newSubscription, type NewSubscription } from './new-subscription.ts';
import type { PaymentOutcome, Presence } from './payments.ts';
import { nextPeriodEnd } from './periods.ts';

// The first payment of an incomplete subscription can be made within 23 hours: Stripe's documentation of
// statuses.
const INCOMPLETE_FOR = 23 * 3600;

// The default of Stripe's setting "Upcoming renewal events": seven days.
const ANNOUNCED_BEFORE = 7 * 86_400;

/** The statuses that Stripe treats as ended. They are final. */
export const hasEnded = ({ status }: Stripe.Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/** Creates a subscription and its first invoice, and takes the first payment. */
export function startSubscription(
  ledger: Ledger,
  order: NewSubscription,
  presence: Presence,
): { subscription: Stripe.Subscription; outcome: PaymentOutcome } {
  const begun = newSubscription(ledger, order);
  const invoice = createFirstInvoice(ledger, begun);
  const outcome = collectInvoice(ledger, invoice, paymentMethodOf(ledger, begun), {
    presence,
    attempt: 'scheduled',
  });
  // "For payment methods with longer processing periods, subscriptions are immediately activated":
  // https://docs.stripe.com/billing/subscriptions/overview#payment-succeeded
  const isActive = outcome.kind === 'paid' || outcome.kind === 'processing';
  const unpaid = isActive ? undefined : ledger.invoices.get(invoice.id);
  // A failed first payment is not retried.
  if (unpaid) stopCollecting(ledger, unpaid);
  const subscription: Stripe.Subscription = {
    ...afterInvoice(ledger, begun),
    latest_invoice: invoice.id,
    status: isActive ? 'active' : 'incomplete',
  };
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.created', subscription);
  return { subscription, outcome };
}

/** The end of the paid period. With several items, the earliest end, as for `cancel_at_period_end`. */
export const periodEnd = (subscription: Stripe.Subscription): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_end));

export const periodStart = (subscription: Stripe.Subscription): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_start));

/** Stores a subscription and schedules what happens to it next. With `before`, emits the update event. */
export function saveSubscription(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  before?: Stripe.Subscription,
): void {
  ledger.subscriptions.put(subscription.id, subscription);
  ledger.schedule('subscription', subscription.id, nextDueTime(subscription, ledger.now()));
  if (before) ledger.emit('customer.subscription.updated', subscription, before);
}

function nextDueTime(subscription: Stripe.Subscription, now: number): number | undefined {
  if (hasEnded(subscription)) return undefined;
  if (subscription.status === 'incomplete') return subscription.created + INCOMPLETE_FOR;
  if (subscription.status === 'paused') return subscription.cancel_at ?? undefined;
  const announcement = periodEnd(subscription) - ANNOUNCED_BEFORE;
  return renews(subscription) && now < announcement ? announcement : endOfTerm(subscription);
}

/** The end of the current period or of the subscription, whichever is earlier. */
const endOfTerm = (subscription: Stripe.Subscription): number =>
  Math.min(subscription.cancel_at ?? Infinity, periodEnd(subscription));

const renews = (subscription: Stripe.Subscription): boolean =>
  (subscription.cancel_at ?? Infinity) > periodEnd(subscription);

/**
 * Ends a subscription now. "Stripe stops automatic collection of all finalized invoices for the customer":
 * https://docs.stripe.com/api/subscriptions/cancel. Those of the customer's other subscriptions, too.
 */
export function endSubscription(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
  details: { comment?: string | null } = {},
): Stripe.Subscription {
  const now = ledger.now();
  const ended: Stripe.Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      ...details,
      reason,
    },
    ended_at: now,
    status: 'canceled',
  };
  // The open invoice is voided. Stripe doesn't document the event that it then sends.
  if (subscription.status === 'incomplete') return expireIncomplete(ledger, subscription, ended);
  saveSubscription(ledger, ended);
  for (const invoice of ledger.invoices.list({ customer: idOf(subscription.customer) })) {
    stopCollecting(ledger, invoice);
  }
  ledger.emit('customer.subscription.deleted', ended);
  return ended;
}

/** Runs a subscription's due work: expires, announces the renewal, ends or renews. */
export function advanceSubscription(ledger: Ledger, subscription: Stripe.Subscription): void {
  if (subscription.status === 'incomplete') {
    expireIncomplete(ledger, subscription);
  } else if (ledger.now() < endOfTerm(subscription)) {
    announceInvoice(ledger, nextPeriod(subscription), periodStart(subscription));
    saveSubscription(ledger, subscription);
  } else if (subscription.cancel_at !== null && subscription.cancel_at <= ledger.now()) {
    endSubscription(ledger, subscription, 'cancellation_requested');
  } else {
    renew(ledger, subscription);
  }
}

/** Ends a subscription whose first invoice was not paid. `change`: other fields to change. */
function expireIncomplete(
  ledger: Ledger,
  before: Stripe.Subscription,
  change: Partial<Stripe.Subscription> = {},
): Stripe.Subscription {
  const expired: Stripe.Subscription = {
    ...before,
    ...change,
    ended_at: ledger.now(),
    status: 'incomplete_expired',
  };
  const invoice = ledger.invoices.get(idOf(before.latest_invoice));
  if (invoice?.status === 'open') markVoid(ledger, invoice);
  saveSubscription(ledger, expired, before);
  return expired;
}

/**
 * Starts the next period. The invoice is a draft for an hour, and the subscription's status doesn't change.
 * Bills a whole period even if the subscription ends within it.
 */
function renew(ledger: Ledger, before: Stripe.Subscription): void {
  saveSubscription(ledger, createRenewalInvoice(ledger, nextPeriod(before), periodStart(before)), before);
}

/** The invoice of a subscription's next period. Undefined if there will be none. */
export function previewInvoice(
  ledger: Ledger,
  subscription: Stripe.Subscription,
): Stripe.Invoice | undefined {
  if (hasEnded(subscription) || subscription.status === 'paused' || !renews(subscription)) return undefined;
  return upcomingInvoice(ledger, nextPeriod(subscription), periodStart(subscription));
}

/** The subscription in its next period. */
function nextPeriod(before: Stripe.Subscription): Stripe.Subscription {
  const items = before.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: nextPeriodEnd(
      before.billing_cycle_anchor,
      intervalOf(item.price),
      item.current_period_end,
    ),
  }));
  return { ...before, items: { ...before.items, data: items } };
}

/** Tries to collect an invoice, and updates its subscription's status. */
export function attemptPayment(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  how: { presence: Presence; attempt: Attempt },
  chosen?: Stripe.PaymentMethod,
): PaymentOutcome {
  const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
  const method = chosen ?? (subscription && paymentMethodOf(ledger, subscription));
  const outcome = collectInvoice(ledger, invoice, method, how);
  if (outcome.kind === 'paid') {
    if (subscription) activate(ledger, subscription);
  } else if (outcome.kind !== 'processing') {
    afterFailure(ledger, invoice, how.attempt);
  }
  return outcome;
}

/**
 * Updates the status of an invoice's subscription after the invoice could not be collected. "Payment on the
 * latest finalized invoice either failed or wasn't attempted":
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */
export function afterFailure(ledger: Ledger, { id }: Stripe.Invoice, attempt: Attempt): void {
  const invoice = ledger.invoices.get(id);
  const subscription = invoice && ledger.subscriptions.get(subscriptionIdOf(invoice));
  if (!subscription || hasEnded(subscription)) return;
  // An invoice by mail is past due at its date, and what was written off never is.
  if (invoice.collection_method === 'send_invoice' || invoice.status !== 'open') return;
  const { next_payment_attempt: next } = invoice;
  if (next === null && attempt === 'scheduled') {
    // Stripe's default after the last failed attempt. It is a setting.
    endSubscription(ledger, subscription, 'payment_failed');
  } else if (subscription.status === 'active' || (subscription.status === 'paused' && next === null)) {
    becomePastDue(ledger, subscription, invoice);
  }
}

/** Makes a subscription past due, unless a later invoice decides its status. */
export function becomePastDue(ledger: Ledger, subscription: Stripe.Subscription, { id }: Stripe.Invoice) {
  if (decidingInvoice(ledger, subscription)?.id !== id) return;
  saveSubscription(ledger, { ...subscription, status: 'past_due' }, subscription);
}

/**
 * Sets a subscription to active if its deciding invoice allows it: "paying the latest associated invoice or
 * marking it uncollectible transitions the subscription to `active`"
 * (https://docs.stripe.com/billing/subscriptions/overview).
 */
export function activate(ledger: Ledger, subscription: Stripe.Subscription): void {
  if (hasEnded(subscription) || subscription.status === 'active') return;
  const { status_details: details, ...rest } = subscription;
  const invoice = decidingInvoice(ledger, subscription);
  if (invoice?.status !== 'paid' && invoice?.status !== 'uncollectible') return;
  // A paused subscription is active again with the invoice of its resumption.
  const paused = details?.paused;
  if (paused && invoice.billing_reason !== 'subscription_update') return;
  if (paused && invoice.created < paused.transitioned_at) return;
  const active: Stripe.Subscription = { ...rest, status: 'active' };
  saveSubscription(ledger, active, subscription);
  if (paused) ledger.emit('customer.subscription.resumed', active);
}

/** "Stripe determines the status from the most recent non-voided invoice": the same page. No draft counts. */
const decidingInvoice = (ledger: Ledger, { id, customer }: Stripe.Subscription): Stripe.Invoice | undefined =>
  ledger.invoices
    .list({ customer: idOf(customer) })
    .findLast(
      (invoice) =>
        subscriptionIdOf(invoice) === id && invoice.status !== 'draft' && invoice.status !== 'void',
    );

/** The subscription's payment method or else the customer's, in Stripe's order. None if it is detached. */
function paymentMethodOf(
  ledger: Ledger,
  subscription: Stripe.Subscription,
): Stripe.PaymentMethod | undefined {
  const customer = ledger.customers.get(idOf(subscription.customer));
  if (!customer || customer.deleted) return undefined;
  const id = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const method = ledger.paymentMethods.get(idOf(id));
  return method?.customer === customer.id ? method : undefined;
}
