import type Stripe from 'stripe';
import { updateCustomer } from './customers.ts';
import { updatedMetadata, type MetadataUpdate } from './fields.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import { draftOf } from './invoice-draft.ts';
import type { Ledger } from './ledger.ts';
import { noTax } from './tax.ts';
import { cancelPayment, isProcessing, payInvoice, type PaymentOutcome, type Presence } from './payments.ts';

const DAY = 86_400;

/**
 * Days from a failed payment to its next try. A custom retry schedule has up to three entries
 * (https://docs.stripe.com/billing/revenue-recovery/smart-retries). Stripe's default, Smart Retries, is not
 * predictable.
 */
const RETRY_DAYS = [3, 5, 7];

// Seconds from the creation of a renewal's invoice to its finalization. Stripe finalizes "draft invoices
// after one hour" (https://docs.stripe.com/invoicing/integration/automatic-advancement-collection), and later
// if the webhook of `invoice.created` fails. The stand-in doesn't wait for the webhook.
const DRAFT_FOR = 3600;

/**
 * Creates a subscription's first invoice, which "is finalized as part of the request": Stripe's reference.
 */
export function createFirstInvoice(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Invoice {
  const draft = draftOf(ledger, newId('in'), subscription, 'subscription_create', subscription.created);
  ledger.emit('invoice.created', draft);
  return finalize(ledger, draft, { ...noAdvancement, auto_advance: true });
}

/**
 * Creates the invoice of a renewal, which stays a draft for an hour. `since` is the start of the period
 * before the renewal, in Unix seconds.
 */
export function createRenewalInvoice(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  since: number,
): Stripe.Invoice {
  const created = draftOf(ledger, newId('in'), subscription, 'subscription_cycle', since);
  // "Invoices [...] remain in draft" while the collection is paused so
  // (https://docs.stripe.com/billing/subscriptions/pause-payment).
  const advances = subscription.pause_collection === null;
  const draft: Stripe.Invoice = { ...created, ...advancementOf(created, advances, ledger.now()) };
  store(ledger, draft);
  ledger.emit('invoice.created', draft);
  return draft;
}

/**
 * Finalizes a draft: it gets its number and can be paid. `autoAdvance` false stops automatic collection;
 * undefined leaves the draft's own setting.
 */
export const finalizeInvoice = (
  ledger: Ledger,
  draft: Stripe.Invoice,
  autoAdvance = draft.auto_advance ?? false,
): Stripe.Invoice =>
  finalize(ledger, draft, advancementOf({ ...draft, status: 'open' }, autoAdvance, ledger.now()));

function finalize(ledger: Ledger, draft: Stripe.Invoice, advancement: Advancement): Stripe.Invoice {
  const now = ledger.now();
  const customer = ledger.customers.get(idOf(draft.customer));
  const payer = customer?.deleted ? undefined : customer;
  const page = `${ledger.origin}/invoice/${draft.id}_${randomLetters(32)}`;
  const sequence = payer?.next_invoice_sequence ?? 1;
  const finalized: Stripe.Invoice = {
    ...draft,
    ...(draft.automatic_tax.status === 'requires_location_inputs' && {
      automatic_tax: { ...noTax, disabled_reason: 'finalization_requires_location_inputs' },
    }),
    ...advancement,
    effective_at: now,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${payer?.invoice_prefix ?? 'SELFSAME'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  store(ledger, finalized);
  if (payer) ledger.customers.put(payer.id, { ...payer, next_invoice_sequence: sequence + 1 });
  ledger.emit('invoice.finalized', finalized);
  return finalized;
}

/** Changes an invoice's metadata, or whether Stripe finalizes and collects it by itself. */
export function updateInvoice(
  ledger: Ledger,
  before: Stripe.Invoice,
  change: { autoAdvance: boolean | undefined; metadata: MetadataUpdate | undefined },
): Stripe.Invoice {
  const { autoAdvance } = change;
  const invoice: Stripe.Invoice = {
    ...before,
    ...(autoAdvance !== undefined && advancementOf(before, autoAdvance, ledger.now())),
    metadata: updatedMetadata(before.metadata ?? {}, change.metadata),
  };
  store(ledger, invoice);
  ledger.emit('invoice.updated', invoice, before);
  return invoice;
}

type Advancement = Pick<
  Stripe.Invoice,
  'auto_advance' | 'automatically_finalizes_at' | 'next_payment_attempt'
>;

const noAdvancement: Advancement = {
  auto_advance: false,
  automatically_finalizes_at: null,
  next_payment_attempt: null,
};

/**
 * The time when Stripe finalizes a draft or tries to collect an open invoice on its own. A draft's hour
 * starts at its creation. Stripe's documentation doesn't say how soon it collects an invoice that a request
 * has finalized, or whose collection a request has resumed; here, within an hour.
 */
function advancementOf(invoice: Stripe.Invoice, autoAdvance: boolean, now: number): Advancement {
  if (!autoAdvance) return noAdvancement;
  const { auto_advance: before, created, next_payment_attempt: next, status } = invoice;
  if (status === 'draft') {
    const at = Math.max(created + DRAFT_FOR, now);
    return { auto_advance: true, automatically_finalizes_at: at, next_payment_attempt: at };
  }
  const due = (before ? next : null) ?? now + DRAFT_FOR;
  return { auto_advance: true, automatically_finalizes_at: null, next_payment_attempt: due };
}

/** Stores an invoice and schedules what happens to it next. */
function store(ledger: Ledger, invoice: Stripe.Invoice): void {
  ledger.invoices.put(invoice.id, invoice);
  ledger.schedule('invoice', invoice.id, invoice.next_payment_attempt ?? undefined);
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

/**
 * Records that an attempt to collect has failed. A requested attempt after the first doesn't reschedule the
 * next one. Without automatic collection there is no next one.
 */
export function recordFailure(
  ledger: Ledger,
  attempted: Stripe.Invoice,
  { reschedules, requiresAction = false }: { reschedules: boolean; requiresAction?: boolean },
): void {
  const before = ledger.invoices.get(attempted.id) ?? attempted;
  const wait = RETRY_DAYS[attempted.attempt_count - 1];
  const next = wait === undefined ? null : ledger.now() + wait * DAY;
  const retry = attempted.auto_advance ? (reschedules ? next : attempted.next_payment_attempt) : null;
  const failed: Stripe.Invoice = { ...attempted, auto_advance: retry !== null, next_payment_attempt: retry };
  store(ledger, failed);
  ledger.emit('invoice.payment_failed', failed);
  if (requiresAction) ledger.emit('invoice.payment_action_required', failed);
  ledger.emit('invoice.updated', failed, before);
  updateCustomer(ledger, idOf(attempted.customer), { delinquent: true });
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

/** Voids an invoice and cancels its payment intent. It can then no longer be paid. */
export function markVoid(ledger: Ledger, before: Stripe.Invoice): Stripe.Invoice {
  const invoice: Stripe.Invoice = {
    ...before,
    ...noAdvancement,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: ledger.now() },
  };
  store(ledger, invoice);
  cancelPayment(ledger, invoice);
  ledger.emit('invoice.voided', invoice);
  return invoice;
}

/** Id of the invoice's subscription. Empty if there is none. */
export const subscriptionIdOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription);
