import type Stripe from 'stripe';
import { updateCustomer } from './customers.ts';
import { idOf } from './ids.ts';
import { noAdvancement, store } from './invoice-store.ts';
import type { Ledger } from './ledger.ts';
import { cancelPayment, isProcessing, payInvoice, type PaymentOutcome, type Presence } from './payments.ts';

const DAY = 86_400;

/**
 * Days from a failed payment to its next try. A custom retry schedule has up to three entries
 * (https://docs.stripe.com/billing/revenue-recovery/smart-retries). Stripe's default, Smart Retries, is not
 * predictable.
 */
const RETRY_DAYS = [3, 5, 7];

/** Whether Stripe's schedule or a request triggers the payment. */
export type Attempt = 'scheduled' | 'requested';

/** Tries to collect an open invoice and records the outcome. Skips an invoice with a payment in progress. */
export function collectInvoice(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  { presence, attempt }: { presence: Presence; attempt: Attempt },
): PaymentOutcome {
  if (isProcessing(ledger, invoice)) return { kind: 'processing' };
  const outcome: PaymentOutcome =
    invoice.amount_due === 0 ? { kind: 'paid' } : payInvoice(ledger, invoice, method, presence);
  // "Any payment attempt counts as the first attempt, and subsequently only automatic retries increment the
  // attempt count": Stripe's reference.
  const counts = attempt === 'scheduled' || invoice.attempt_count === 0;
  const attempted: Stripe.Invoice = {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + (counts ? 1 : 0),
  };
  if (outcome.kind === 'paid') {
    markPaid(ledger, attempted);
  } else if (outcome.kind === 'processing') {
    const waiting: Stripe.Invoice = { ...attempted, next_payment_attempt: null };
    store(ledger, waiting);
    ledger.emit('invoice.updated', waiting, invoice);
  } else {
    recordFailure(ledger, attempted, {
      reschedules: counts,
      requiresAction: outcome.kind === 'requires-action',
    });
  }
  return outcome;
}

/** Records a failed collection. A requested attempt after the first doesn't reschedule the next one. */
export function recordFailure(
  ledger: Ledger,
  attempted: Stripe.Invoice,
  { reschedules, requiresAction = false }: { reschedules: boolean; requiresAction?: boolean },
): void {
  const before = ledger.invoices.get(attempted.id) ?? attempted;
  const isSent = attempted.collection_method === 'send_invoice';
  const wait = isSent ? undefined : RETRY_DAYS[attempted.attempt_count - 1];
  const next = wait === undefined ? null : ledger.now() + wait * DAY;
  const retry = attempted.auto_advance ? (reschedules ? next : attempted.next_payment_attempt) : null;
  // An invoice by mail is still overdue at its date.
  const advances = retry !== null || (isSent && attempted.auto_advance === true);
  const failed: Stripe.Invoice = { ...attempted, auto_advance: advances, next_payment_attempt: retry };
  store(ledger, failed);
  ledger.emit('invoice.payment_failed', failed);
  if (requiresAction) ledger.emit('invoice.payment_action_required', failed);
  ledger.emit('invoice.updated', failed, before);
  updateCustomer(ledger, idOf(attempted.customer), { delinquent: true });
}

/** Marks an invoice as paid, by card or out of band. */
export function markPaid(ledger: Ledger, invoice: Stripe.Invoice): void {
  const { status_details: _, ...rest } = invoice;
  const paid: Stripe.Invoice = {
    ...rest,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: ledger.now() },
    webhooks_delivered_at: ledger.now(),
  };
  store(ledger, paid);
  ledger.emit('invoice.paid', paid);
  ledger.emit('invoice.payment_succeeded', paid);
  ledger.emit('invoice.updated', paid, invoice);
  updateCustomer(ledger, idOf(invoice.customer), { delinquent: false });
}

/** Stops retrying. The invoice stays open and can still be paid on request. */
export function stopCollecting(ledger: Ledger, invoice: Stripe.Invoice): void {
  if (invoice.status !== 'open') return;
  const left: Stripe.Invoice = { ...invoice, ...noAdvancement };
  store(ledger, left);
  ledger.emit('invoice.updated', left, invoice);
}

/** Writes an invoice off. It can still be paid, or voided. */
export function markUncollectible(
  ledger: Ledger,
  before: Stripe.Invoice,
  reason: 'subscription_paused' | 'user_forgiven',
): Stripe.Invoice {
  const now = ledger.now();
  const invoice: Stripe.Invoice = {
    ...before,
    ...noAdvancement,
    status: 'uncollectible',
    status_details: { uncollectible: { reason } },
    status_transitions: { ...before.status_transitions, marked_uncollectible_at: now },
  };
  store(ledger, invoice);
  ledger.emit('invoice.marked_uncollectible', invoice);
  return invoice;
}

/** Voids an invoice and cancels its payment intent. The customer gets back the credit that it took. */
export function markVoid(ledger: Ledger, before: Stripe.Invoice): Stripe.Invoice {
  const { status_details: _, ...rest } = before;
  const invoice: Stripe.Invoice = {
    ...rest,
    ...noAdvancement,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: ledger.now() },
  };
  store(ledger, invoice);
  const payer = ledger.customers.get(idOf(invoice.customer));
  const taken = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance;
  if (payer && !payer.deleted && taken !== 0) {
    updateCustomer(ledger, payer.id, { balance: payer.balance - taken });
  }
  cancelPayment(ledger, invoice);
  ledger.emit('invoice.voided', invoice);
  return invoice;
}
