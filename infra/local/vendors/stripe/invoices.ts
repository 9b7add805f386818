import type Stripe from 'stripe';
import { afterInvoice } from './coupons.ts';
import { markPaid } from './collect-invoice.ts';
import { updatedMetadata, type MetadataUpdate } from './fields.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import { balanced, draftOf } from './invoice-draft.ts';
import { takeItems } from './invoice-items.ts';
import { advancementOf, DRAFT_FOR, noAdvancement, store, type Advancement } from './invoice-store.ts';
import type { Ledger } from './ledger.ts';
import { noTax } from './tax.ts';

// "If there is no payment attempt within 23 hours, Stripe voids the invoice and the subscription stays
// paused": Stripe's reference of `resume`.
const RESUMES_WITHIN = 23 * 3600;

/** Creates the first invoice, which "is finalized as part of the request": Stripe's reference. */
export function createFirstInvoice(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Invoice {
  const draft = draftOf(ledger, newId('in'), subscription, 'subscription_create', subscription.created);
  takeItems(ledger, draft);
  ledger.emit('invoice.created', draft);
  return finalize(ledger, draft, { ...noAdvancement, auto_advance: true });
}

/** Creates the invoice of a paused subscription that resumes. `collects`: whether Stripe tries it. */
export function createResumptionInvoice(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  collects: boolean,
): { invoice: Stripe.Invoice; subscription: Stripe.Subscription } {
  const since = ledger.now();
  const draft = draftOf(ledger, newId('in'), subscription, 'subscription_update', since);
  takeItems(ledger, draft);
  ledger.emit('invoice.created', draft);
  const finalized = finalize(ledger, draft, { ...noAdvancement, auto_advance: collects });
  if (finalized.amount_due === 0) markPaid(ledger, finalized);
  else ledger.schedule('invoice', draft.id, since + RESUMES_WITHIN);
  return {
    invoice: ledger.invoices.get(draft.id) ?? finalized,
    subscription: { ...afterInvoice(ledger, subscription), latest_invoice: draft.id },
  };
}

/** Creates a renewal's draft. `since`: the start of the period before the renewal, in Unix seconds. */
export function createRenewalInvoice(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  since: number,
): Stripe.Subscription {
  const created = draftOf(ledger, newId('in'), subscription, 'subscription_cycle', since);
  // "Invoices [...] remain in draft" while the collection is paused so
  // (https://docs.stripe.com/billing/subscriptions/pause-payment).
  const advances = subscription.pause_collection?.behavior !== 'keep_as_draft';
  const draft: Stripe.Invoice = { ...created, ...advancementOf(created, advances, ledger.now()) };
  store(ledger, draft);
  takeItems(ledger, draft);
  ledger.emit('invoice.created', draft);
  return { ...afterInvoice(ledger, subscription), latest_invoice: draft.id };
}

/** Finalizes a draft, which can then be paid. `autoAdvance`: undefined leaves the draft's own setting. */
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
  const { due, ending } = balanced(draft, payer?.balance ?? 0);
  const finalized: Stripe.Invoice = {
    ...draft,
    ...(draft.automatic_tax.status === 'requires_location_inputs' && {
      automatic_tax: { ...noTax, disabled_reason: 'finalization_requires_location_inputs' },
    }),
    ...advancement,
    ...due,
    effective_at: now,
    ending_balance: ending,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    last_finalization_error: null,
    number: `${payer?.invoice_prefix ?? 'SELFSAME'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  store(ledger, finalized);
  if (payer) {
    ledger.customers.put(payer.id, { ...payer, balance: ending, next_invoice_sequence: sequence + 1 });
  }
  ledger.emit('invoice.finalized', finalized);
  return finalized;
}

/** Gives the drafts of a customer the new balance, which is applied when they are finalized. */
export function applyBalance(ledger: Ledger, customer: string, balance: number): void {
  for (const draft of ledger.invoices.list({ customer }).filter(({ status }) => status === 'draft')) {
    ledger.invoices.put(draft.id, { ...draft, ...balanced(draft, balance).due });
  }
}

/** Leaves a draft that can't be finalized. Stripe doesn't try again by itself. */
export function recordFinalizationFailure(
  ledger: Ledger,
  before: Stripe.Invoice,
  error: Stripe.Invoice.LastFinalizationError,
): void {
  const invoice: Stripe.Invoice = {
    ...before,
    automatically_finalizes_at: null,
    last_finalization_error: error,
    next_payment_attempt: null,
  };
  store(ledger, invoice);
  ledger.emit('invoice.finalization_failed', invoice);
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

/**
 * The invoice of the next period, as it will be if nothing changes. `next` is the subscription in that
 * period; `since` is the start of the current period, in Unix seconds.
 */
export function upcomingInvoice(ledger: Ledger, next: Stripe.Subscription, since: number): Stripe.Invoice {
  const at = Math.min(...next.items.data.map((item) => item.current_period_start));
  const upcoming = draftOf(ledger, newId('upcoming_in'), next, 'upcoming', since, at);
  return {
    ...upcoming,
    lines: { ...upcoming.lines, data: upcoming.lines.data.map((line) => ({ ...line, invoice: null })) },
    next_payment_attempt: next.collection_method === 'send_invoice' ? null : at + DRAFT_FOR,
  };
}

/**
 * Emits `invoice.upcoming`. Its invoice has no id
 * (https://docs.stripe.com/api/events/types#event_types-invoice.upcoming).
 */
export function announceInvoice(ledger: Ledger, next: Stripe.Subscription, since: number): void {
  const { id: _, ...upcoming } = upcomingInvoice(ledger, next, since);
  ledger.emit('invoice.upcoming', upcoming);
}
