import type Stripe from 'stripe';
import { markPaid, markUncollectible, markVoid } from './collect-invoice.ts';
import { idOf } from './ids.ts';
import { subscriptionIdOf } from './invoice-store.ts';
import { finalizeInvoice, recordFinalizationFailure } from './invoices.ts';
import type { Ledger } from './ledger.ts';
import { activate, attemptPayment, becomePastDue, saveSubscription } from './subscriptions.ts';

/**
 * Runs an invoice's due work: finalizes a draft, and tries to collect, even if the subscription has ended in
 * the meantime. A cancellation stops the collection of "finalized invoices"
 * (https://docs.stripe.com/api/subscriptions/cancel) or of "all unpaid invoices"
 * (https://docs.stripe.com/billing/subscriptions/overview). Neither page names drafts.
 */
export function advanceInvoice(ledger: Ledger, due: Stripe.Invoice): void {
  const error = ledger.notFinalized.get(idOf(due.customer));
  if (due.status === 'draft' && error) return recordFinalizationFailure(ledger, due, error);
  const invoice = due.status === 'draft' ? finalizeInvoice(ledger, due) : due;
  const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
  if (invoice.automatic_tax.disabled_reason !== null) withoutTax(ledger, subscriptionIdOf(invoice));
  // "Invoices created before you pause subscriptions continue to be retried":
  // https://docs.stripe.com/billing/subscriptions/pause-payment
  const pause = due.status === 'draft' ? subscription?.pause_collection?.behavior : undefined;
  if (pause === 'void') markVoid(ledger, invoice);
  else if (pause === 'mark_uncollectible') {
    markUncollectible(ledger, invoice, 'subscription_paused');
    if (subscription) activate(ledger, subscription);
  } else if (invoice.collection_method === 'send_invoice') advanceSentInvoice(ledger, due, invoice);
  // "Existing subscription invoices advance without affecting the paused status"
  // (https://docs.stripe.com/billing/subscriptions/pause). Only that of a resumption expires.
  else if (subscription?.status === 'paused' && isUnpaidResumption(invoice)) markVoid(ledger, invoice);
  else attemptPayment(ledger, invoice, { presence: 'off-session', attempt: 'scheduled' });
}

const isUnpaidResumption = ({ attempted, billing_reason: reason }: Stripe.Invoice): boolean =>
  reason === 'subscription_update' && !attempted;

/** Sends an invoice that was a draft, or pays one of nothing. One that is still open is overdue. */
function advanceSentInvoice(ledger: Ledger, before: Stripe.Invoice, invoice: Stripe.Invoice): void {
  const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
  if (invoice.amount_due === 0) {
    markPaid(ledger, invoice);
    if (subscription) activate(ledger, subscription);
    return;
  }
  if (before.status === 'draft') return ledger.emit('invoice.sent', invoice);
  ledger.emit('invoice.overdue', invoice);
  if (subscription?.status === 'active') becomePastDue(ledger, subscription, invoice);
}

/**
 * Switches taxes off for a subscription whose customer has no known place any more: "invoices for a
 * subscription continue to finalize automatically but without calculating taxes"
 * (https://docs.stripe.com/tax/customer-locations).
 */
function withoutTax(ledger: Ledger, id: string): void {
  const before = ledger.subscriptions.get(id);
  if (!before?.automatic_tax.enabled) return;
  const automatic_tax = {
    ...before.automatic_tax,
    disabled_reason: 'requires_location_inputs' as const,
    enabled: false,
  };
  saveSubscription(ledger, { ...before, automatic_tax }, before);
}
