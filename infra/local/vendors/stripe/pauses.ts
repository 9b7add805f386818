import type Stripe from 'stripe';
import { invalid } from './errors.ts';
import { createInvoiceItem } from './invoice-items.ts';
import { createResumptionInvoice } from './invoices.ts';
import type { Ledger } from './ledger.ts';
import { intervalOf } from './new-subscription.ts';
import { nextPeriodEnd } from './periods.ts';
import { activate, attemptPayment, saveSubscription } from './subscriptions.ts';
import { idOf } from './ids.ts';

/**
 * Pauses a subscription: no plan and no invoices until it resumes. Credits the unused time with the next
 * invoice, unless `credits` is false. https://docs.stripe.com/api/subscriptions/pause
 */
export function pauseSubscription(
  ledger: Ledger,
  before: Stripe.Subscription,
  credits: boolean,
): Stripe.Subscription {
  // "You can now pause an active subscription":
  // https://docs.stripe.com/changelog/dahlia/2026-05-27/pause-subscriptions
  if (before.status !== 'active') {
    throw invalid(`The subscription has the status ${before.status} and can't be paused.`);
  }
  if (before.schedule) throw invalid("Subscriptions with attached schedules can't be paused.");
  const now = ledger.now();
  for (const item of credits ? before.items.data : []) {
    const { current_period_end: end, current_period_start: start, price, quantity = 1 } = item;
    const unused = (end - now) / (end - start);
    createInvoiceItem(ledger, {
      amount: -Math.round((price.unit_amount ?? 0) * quantity * unused),
      currency: price.currency,
      customer: idOf(before.customer),
      description: 'Unused time',
      discountable: false,
      subscription: before.id,
    });
  }
  // "The current_period_end updates to the time when you paused the subscription":
  // https://docs.stripe.com/billing/subscriptions/pause
  const data = before.items.data.map((item) => ({ ...item, current_period_end: now }));
  const paused: Stripe.Subscription = {
    ...before,
    items: { ...before.items, data },
    status: 'paused',
    status_details: {
      paused: { subscription: { type: 'pause_requested' }, transitioned_at: now, type: 'subscription' },
    },
  };
  saveSubscription(ledger, paused, before);
  ledger.emit('customer.subscription.paused', paused);
  return paused;
}

/**
 * Starts a paused subscription's new period, and bills it. Active at once if nothing is due; otherwise once
 * the invoice is paid. https://docs.stripe.com/api/subscriptions/resume
 */
export function resumeSubscription(
  ledger: Ledger,
  before: Stripe.Subscription,
  behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success',
): Stripe.Subscription {
  if (before.status !== 'paused') throw invalid('Only paused subscriptions can be resumed.');
  if (before.collection_method !== 'charge_automatically') {
    throw invalid('Only subscriptions that charge automatically can be resumed.');
  }
  const now = ledger.now();
  const items = before.items.data.map((item) => ({
    ...item,
    current_period_end: nextPeriodEnd(now, intervalOf(item.price), now),
    current_period_start: now,
  }));
  const begun = { ...before, billing_cycle_anchor: now, items: { ...before.items, data: items } };
  const takesNow = behavior === 'resume_on_payment_success';
  const { invoice, subscription } = createResumptionInvoice(ledger, begun, takesNow);
  saveSubscription(ledger, subscription, before);
  if (invoice.status === 'paid') activate(ledger, subscription);
  else if (takesNow) attemptPayment(ledger, invoice, { presence: 'off-session', attempt: 'scheduled' });
  return ledger.subscriptions.get(before.id) ?? subscription;
}
