import type Stripe from 'stripe';
import { idOf } from './ids.ts';
import type { Ledger } from './ledger.ts';

// Seconds from the creation of a renewal's invoice to its finalization. Stripe finalizes "draft invoices
// after one hour" (https://docs.stripe.com/invoicing/integration/automatic-advancement-collection), and later
// if the webhook of `invoice.created` fails. The stand-in doesn't wait for the webhook.
export const DRAFT_FOR = 3600;

export type Advancement = Pick<
  Stripe.Invoice,
  'auto_advance' | 'automatically_finalizes_at' | 'next_payment_attempt'
>;

export const noAdvancement: Advancement = {
  auto_advance: false,
  automatically_finalizes_at: null,
  next_payment_attempt: null,
};

/**
 * The time when Stripe finalizes a draft or tries to collect an open invoice on its own. A draft's hour
 * starts at its creation. Stripe's documentation doesn't say how soon it collects an invoice that a request
 * has finalized, or whose collection a request has resumed; here, within an hour.
 */
export function advancementOf(invoice: Stripe.Invoice, autoAdvance: boolean, now: number): Advancement {
  if (!autoAdvance) return noAdvancement;
  const { auto_advance: before, created, next_payment_attempt: next, status } = invoice;
  const isSent = invoice.collection_method === 'send_invoice';
  if (status === 'draft') {
    const at = Math.max(created + DRAFT_FOR, now);
    const attempt = isSent ? null : at;
    return { auto_advance: true, automatically_finalizes_at: at, next_payment_attempt: attempt };
  }
  const due = isSent ? null : ((before ? next : null) ?? now + DRAFT_FOR);
  return { auto_advance: true, automatically_finalizes_at: null, next_payment_attempt: due };
}

/** Stores an invoice and schedules what happens to it next. */
export function store(ledger: Ledger, invoice: Stripe.Invoice): void {
  ledger.invoices.put(invoice.id, invoice);
  ledger.schedule('invoice', invoice.id, nextDueTime(invoice, ledger.now()));
}

function nextDueTime(invoice: Stripe.Invoice, now: number): number | undefined {
  const { auto_advance: advances, automatically_finalizes_at: finalizes, due_date: due, status } = invoice;
  const becomesOverdue = advances && status === 'open' && due !== null && due > now;
  return finalizes ?? invoice.next_payment_attempt ?? (becomesOverdue ? due : undefined);
}

/** Id of the invoice's subscription. Empty if there is none. */
export const subscriptionIdOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription);
