import type Stripe from 'stripe';
import { updateCustomer } from './customers.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import { draftOf, payerOf } from './invoice-draft.ts';
import type { Ledger } from './ledger.ts';
import { payInvoice, type PaymentOutcome, type Presence } from './payments.ts';

const DAY = 86_400;

/**
 * Days from a failed payment to its next try. A custom retry schedule has up to three entries
 * (https://docs.stripe.com/billing/revenue-recovery/smart-retries). Stripe's default, Smart Retries, is not
 * predictable.
 */
const RETRY_DAYS = [3, 5, 7];

/**
 * Creates and finalizes the invoice of a subscription's current period. Stripe keeps a renewal's invoice as a
 * draft for an hour first. `since` is the end of the previous invoice's period, in Unix seconds.
 */
export function createInvoice(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  billingReason: 'subscription_create' | 'subscription_cycle',
  since: number,
): Stripe.Invoice {
  const now = ledger.now();
  const payer = payerOf(ledger, subscription);
  const id = newId('in');
  const draft = draftOf(ledger, id, subscription, billingReason, since);
  ledger.emit('invoice.created', draft);

  const page = `${ledger.origin}/invoice/${id}_${randomLetters(32)}`;
  const sequence = payer?.next_invoice_sequence ?? 1;
  const finalized: Stripe.Invoice = {
    ...draft,
    effective_at: now,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${payer?.invoice_prefix ?? 'SELFSAME'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  ledger.invoices.put(id, finalized);
  if (payer) ledger.customers.put(payer.id, { ...payer, next_invoice_sequence: sequence + 1 });
  ledger.emit('invoice.finalized', finalized);
  return finalized;
}

/**
 * Emits `invoice.upcoming` for the next period. Its invoice has no id
 * (https://docs.stripe.com/api/events/types#event_types-invoice.upcoming). `next` is the subscription in that
 * period; `since` is the start of the current period, in Unix seconds.
 */
export function announceInvoice(ledger: Ledger, next: Stripe.Subscription, since: number): void {
  const { id: _, ...upcoming } = draftOf(ledger, 'upcoming', next, 'upcoming', since);
  const [item] = next.items.data;
  ledger.emit('invoice.upcoming', {
    ...upcoming,
    lines: {
      ...upcoming.lines,
      data: upcoming.lines.data.map((line) => ({ ...line, invoice: null })),
    },
    next_payment_attempt: item?.current_period_start ?? null,
  } satisfies Omit<Stripe.Invoice, 'id'>);
}

/** Whether Stripe's schedule or a request triggers the payment. */
export type Attempt = 'scheduled' | 'requested';

/** Tries to collect an open invoice and records the outcome. */
export function collectInvoice(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  { presence, attempt }: { presence: Presence; attempt: Attempt },
): PaymentOutcome {
  const now = ledger.now();
  const outcome: PaymentOutcome =
    invoice.amount_due === 0 ? { kind: 'paid' } : payInvoice(ledger, invoice, method, presence);
  // "Any payment attempt counts as the first attempt, and subsequently only automatic retries increment the
  // attempt count": Stripe's reference.
  const count = attempt === 'scheduled' || invoice.attempt_count === 0 ? 1 : 0;
  const attempted: Stripe.Invoice = {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + count,
  };
  const customer = idOf(invoice.customer);
  if (outcome.kind === 'paid') {
    markPaid(ledger, attempted);
    return outcome;
  }

  const wait = RETRY_DAYS[attempted.attempt_count - 1];
  const next = wait === undefined ? null : now + wait * DAY;
  const failed: Stripe.Invoice = {
    ...attempted,
    auto_advance: next !== null,
    // A requested attempt leaves the schedule as it is.
    next_payment_attempt: count === 1 ? next : invoice.next_payment_attempt,
  };
  ledger.invoices.put(invoice.id, failed);
  ledger.schedule('invoice', invoice.id, failed.next_payment_attempt ?? undefined);
  ledger.emit('invoice.payment_failed', failed);
  ledger.emit('invoice.updated', failed, invoice);
  updateCustomer(ledger, customer, { delinquent: true });
  return outcome;
}

/** Marks an invoice as paid, by card or out of band. */
export function markPaid(ledger: Ledger, invoice: Stripe.Invoice): void {
  const paid: Stripe.Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: ledger.now() },
    webhooks_delivered_at: ledger.now(),
  };
  ledger.invoices.put(invoice.id, paid);
  ledger.schedule('invoice', invoice.id, undefined);
  ledger.emit('invoice.paid', paid);
  ledger.emit('invoice.payment_succeeded', paid);
  ledger.emit('invoice.updated', paid, invoice);
  updateCustomer(ledger, idOf(invoice.customer), { delinquent: false });
}

/** Stops retrying. The invoice stays open and can still be paid on request. */
export function stopCollecting(ledger: Ledger, invoice: Stripe.Invoice): void {
  if (invoice.status !== 'open') return;
  const left: Stripe.Invoice = { ...invoice, auto_advance: false, next_payment_attempt: null };
  ledger.invoices.put(invoice.id, left);
  ledger.schedule('invoice', invoice.id, undefined);
  ledger.emit('invoice.updated', left, invoice);
}

/** Id of the invoice's subscription. Empty if there is none. */
export const subscriptionIdOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription);
