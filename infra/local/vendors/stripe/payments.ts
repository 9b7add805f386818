import type Stripe from 'stripe';
import type { CardBehavior, Refusal } from './cards.ts';
import { createCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import type { ErrorBody } from './errors.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { createIntent, existingIntent, failIntent, paymentErrorOf } from './payment-intents.ts';

/** The outcome of a payment. `processing` settles later; `requires-action` waits for authentication. */
export type PaymentOutcome =
  | { kind: 'paid' }
  | { kind: 'processing' }
  | { kind: 'refused' | 'requires-action'; error: ErrorBody };

/** Whether the cardholder is present, and has authenticated the payment. Some cards pay only then. */
export type Presence = 'on-session' | 'off-session';

/**
 * The time until a payment settles that settles later, in seconds. A bank debit takes up to four business
 * days (https://docs.stripe.com/payments/ach-direct-debit).
 */
const SETTLES_AFTER = 4 * 86_400;

/** Charges an invoice to a card. All attempts for an invoice share its payment intent. */
export function payInvoice(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  presence: Presence,
): PaymentOutcome {
  const intent = intentOf(ledger, invoice);
  if (!method) {
    const error: ErrorBody = {
      type: 'invalid_request_error',
      message:
        'This customer has no attached payment source or default payment method. Please consider adding a default ' +
        'payment method.',
      code: 'resource_missing',
    };
    ledger.paymentIntents.put(intent.id, { ...intent, status: 'requires_payment_method' });
    return { kind: 'refused', error };
  }

  const behavior = ledger.cards.get(method.id) ?? { kind: 'pays' };
  const needsHolder = behavior.kind === 'authenticates' && behavior.renewal === 'requires-action';
  if (needsHolder && presence === 'off-session') {
    return requireAction(ledger, intent, method);
  }
  const receiptUrl = invoice.hosted_invoice_url ?? null;
  const failure = failureOf(behavior, presence);
  if (failure) {
    const result = { status: 'failed', failure } as const;
    const charge = createCharge(ledger, intent, method, { result, receiptUrl });
    failIntent(ledger, intent, { charge, error: failure, method });
    return { kind: 'refused', error: failure };
  }
  const attempted: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: null,
    next_action: null,
    payment_method: method.id,
  };
  if (behavior.kind === 'settles-later') {
    const charge = createCharge(ledger, intent, method, { result: { status: 'pending' }, receiptUrl });
    const processing: Stripe.PaymentIntent = { ...attempted, latest_charge: charge.id, status: 'processing' };
    ledger.paymentIntents.put(intent.id, processing);
    ledger.schedule('payment', intent.id, ledger.now() + SETTLES_AFTER);
    ledger.emit('charge.pending', charge);
    ledger.emit('payment_intent.processing', processing);
    return { kind: 'processing' };
  }
  const charge = createCharge(ledger, intent, method, { result: { status: 'succeeded' }, receiptUrl });
  succeed(ledger, { ...attempted, latest_charge: charge.id }, { charge, invoice: invoice.id });
  if (behavior.kind === 'is-disputed') openDispute(ledger, charge);
  return { kind: 'paid' };
}

/** Records that the payment of an invoice has succeeded. */
export function succeed(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  { charge, invoice }: { charge: Stripe.Charge; invoice: string },
): void {
  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    status: 'succeeded',
  };
  ledger.paymentIntents.put(intent.id, succeeded);
  ledger.emit('charge.succeeded', charge);
  ledger.emit('payment_intent.succeeded', succeeded);
  const payment = ledger.invoicePayments.get(invoice);
  if (!payment) return;
  ledger.invoicePayments.put(invoice, {
    ...payment,
    amount_paid: intent.amount,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: ledger.now() },
  });
}

export const isProcessing = (ledger: Ledger, invoice: Stripe.Invoice): boolean =>
  existingIntent(ledger, invoice)?.status === 'processing';

function failureOf(behavior: CardBehavior, presence: Presence): ErrorBody | undefined {
  if (behavior.kind === 'refuses') return refusalOfCard(behavior);
  if (behavior.kind === 'authenticates' && behavior.refusal) return refusalOfCard(behavior.refusal);
  return behavior.kind === 'fails-at-renewals' && presence === 'off-session' ? declined() : undefined;
}

/** The refusal of a card, in the form of an API error. */
export const refusalOfCard = ({ message, code, declineCode }: Refusal): ErrorBody => ({
  type: 'card_error',
  message,
  code,
  ...(declineCode !== undefined && { decline_code: declineCode }),
});

/** https://docs.stripe.com/error-codes#payment-intent-authentication-failure */
export const notAuthenticated = (): ErrorBody => ({
  type: 'card_error',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  code: 'payment_intent_authentication_failure',
});

/** A bank's refusal without a reason. */
export const declined = (): ErrorBody => ({
  type: 'card_error',
  message: 'Your card was declined.',
  code: 'card_declined',
  decline_code: 'generic_decline',
});

/**
 * The bank wants the cardholder to authenticate. "The status of the PaymentIntent is `requires_action`":
 * https://docs.stripe.com/billing/subscriptions/overview#requires-action. Nothing is charged.
 */
function requireAction(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): PaymentOutcome {
  const error: ErrorBody = {
    type: 'card_error',
    message: 'Your card was declined. This transaction requires authentication.',
    code: 'authentication_required',
    decline_code: 'authentication_required',
  };
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: paymentErrorOf(error, method),
    next_action: { type: 'use_stripe_sdk' },
    payment_method: method.id,
    status: 'requires_action',
  };
  ledger.paymentIntents.put(intent.id, waiting);
  ledger.emit('payment_intent.requires_action', waiting);
  return { kind: 'requires-action', error };
}

export function cancelPayment(ledger: Ledger, invoice: Stripe.Invoice): void {
  const payment = ledger.invoicePayments.get(invoice.id);
  const intent = existingIntent(ledger, invoice);
  if (!payment || !intent) return;
  const now = ledger.now();
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: now,
    cancellation_reason: 'void_invoice',
    next_action: null,
    status: 'canceled',
  };
  ledger.paymentIntents.put(intent.id, canceled);
  ledger.invoicePayments.put(invoice.id, {
    ...payment,
    status: 'canceled',
    status_transitions: { canceled_at: now, paid_at: null },
  });
  ledger.emit('payment_intent.canceled', canceled);
}

function intentOf(ledger: Ledger, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const existing = existingIntent(ledger, invoice);
  if (existing) return existing;
  const intent = createIntent(ledger, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
  });
  const payment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: ledger.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  } satisfies Stripe.InvoicePayment;
  ledger.invoicePayments.put(invoice.id, payment);
  return intent;
}
