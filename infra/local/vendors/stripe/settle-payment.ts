import type Stripe from 'stripe';
import { settleCharge } from './charges.ts';
import { idOf } from './ids.ts';
import { markPaid, markVoid, recordFailure } from './collect-invoice.ts';
import { subscriptionIdOf } from './invoice-store.ts';
import type { Ledger } from './ledger.ts';
import { failIntent } from './payment-intents.ts';
import { declined, succeed } from './payments.ts';
import { activate, afterFailure } from './subscriptions.ts';

/** Settles a payment that was processing, with the objects that depend on it. */
export function settlePayment(ledger: Ledger, intent: Stripe.PaymentIntent): void {
  const payment = ledger.invoicePayments
    .list()
    .find((found) => idOf(found.payment.payment_intent) === intent.id);
  const invoice = ledger.invoices.get(idOf(payment?.invoice));
  const charge = ledger.charges.get(idOf(intent.latest_charge));
  const method = ledger.paymentMethods.get(idOf(intent.payment_method));
  // A payment that was canceled in the meantime isn't processing any more.
  if (intent.status !== 'processing' || !invoice || !charge || !method) return;
  const behavior = ledger.cards.get(method.id);
  if (behavior?.kind === 'settles-later' && !behavior.succeeds) {
    const error = declined();
    const failed = settleCharge(ledger, charge, { status: 'failed', failure: error });
    failIntent(ledger, intent, { charge: failed, error, method });
    failInvoice(ledger, invoice);
    return;
  }
  const settled = settleCharge(ledger, charge, { status: 'succeeded' });
  succeed(ledger, intent, { charge: settled, invoice: invoice.id });
  markPaid(ledger, invoice);
  const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
  if (subscription) activate(ledger, subscription);
  settleSession(ledger, invoice, 'paid');
}

/**
 * "If the payment fails later, Stripe voids the invoice but the subscription remains `active`":
 * https://docs.stripe.com/billing/subscriptions/overview, about a subscription's creation. A renewal isn't
 * mentioned. Here it fails like any other.
 */
function failInvoice(ledger: Ledger, invoice: Stripe.Invoice): void {
  if (invoice.billing_reason !== 'subscription_create') {
    recordFailure(ledger, invoice, { reschedules: true });
    afterFailure(ledger, invoice, 'scheduled');
    return;
  }
  ledger.emit('invoice.payment_failed', invoice);
  markVoid(ledger, invoice);
  settleSession(ledger, invoice, 'unpaid');
}

/** Updates the Checkout Session that the invoice was paid in, if there is one. */
function settleSession(ledger: Ledger, invoice: Stripe.Invoice, paymentStatus: 'paid' | 'unpaid'): void {
  const before = ledger.sessions.list().find((session) => session.invoice === invoice.id);
  if (!before) return;
  const session: Stripe.Checkout.Session = { ...before, payment_status: paymentStatus };
  ledger.sessions.put(session.id, session);
  ledger.emit(
    paymentStatus === 'paid'
      ? 'checkout.session.async_payment_succeeded'
      : 'checkout.session.async_payment_failed',
    session,
  );
}
