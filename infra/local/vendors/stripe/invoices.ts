import type Stripe from 'stripe';
import { decimal } from './catalogue.ts';
import { updateCustomer } from './customers.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { productName } from './line-items.ts';
import { completeList } from './list.ts';
import { money } from './money.ts';
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

function payerOf(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Customer | undefined {
  const customer = ledger.customers.get(idOf(subscription.customer));
  return customer?.deleted ? undefined : customer;
}

function draftOf(
  ledger: Ledger,
  id: string,
  subscription: Stripe.Subscription,
  billingReason: 'subscription_create' | 'subscription_cycle' | 'upcoming',
  since: number,
): Stripe.Invoice {
  const now = ledger.now();
  const payer = payerOf(ledger, subscription);
  const lines = subscription.items.data.map((item) => lineOf(ledger, id, subscription, item));
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const [item] = subscription.items.data;
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Selfsame',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: billingReason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: subscription.customer,
    customer_account: null,
    customer_address: payer?.address ?? null,
    customer_email: payer?.email ?? null,
    customer_name: payer?.name ?? null,
    customer_phone: payer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: completeList(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // An invoice's own period is the one before it. Its lines have the period that is paid for.
    period_end: item?.current_period_start ?? now,
    period_start: since,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  } satisfies Stripe.Invoice;
}

function lineOf(
  ledger: Ledger,
  invoice: string,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1;
  const unit = item.price.unit_amount ?? 0;
  const name = productName(ledger, item.price) ?? 'Subscription';
  return {
    id: newId('il'),
    object: 'line_item',
    amount: unit * quantity,
    currency: item.price.currency,
    description: `${quantity} × ${name} (at ${money(unit, item.price.currency)} / ${item.price.recurring?.interval ?? 'month'})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: subscription.id,
    subtotal: unit * quantity,
    taxes: [],
  } satisfies Stripe.InvoiceLineItem;
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
