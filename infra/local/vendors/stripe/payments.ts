import type Stripe from 'stripe';
import { openDispute } from './disputes.ts';
import type { ErrorBody } from './errors.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import type { Ledger } from './ledger.ts';

export type PaymentOutcome = { kind: 'paid' } | { kind: 'refused'; error: ErrorBody };

/** Whether the cardholder is present. Some cards pay only then. */
export type Presence = 'on-session' | 'off-session';

/** Charges an invoice to a card. All attempts for an invoice share its payment intent. */
export function payInvoice(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  presence: Presence,
): PaymentOutcome {
  const customer = idOf(invoice.customer);
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

  const behaviour = ledger.cards.get(method.id) ?? { kind: 'pays' };
  const failure: ErrorBody | undefined =
    behaviour.kind === 'refuses'
      ? cardError(behaviour.message, behaviour.code, behaviour.declineCode)
      : behaviour.kind === 'fails-at-renewals' && presence === 'off-session'
        ? cardError('Your card was declined.', 'card_declined', 'generic_decline')
        : undefined;
  const charge = chargeOf(ledger, invoice, intent, method, failure);
  ledger.charges.put(charge.id, charge);

  const attempted = {
    ...intent,
    customer,
    payment_method: failure ? null : method.id,
    latest_charge: charge.id,
    amount_received: failure ? 0 : intent.amount,
    status: failure ? 'requires_payment_method' : 'succeeded',
    last_payment_error: failure
      ? {
          type: 'card_error',
          charge: charge.id,
          ...(failure.code !== undefined && { code: failure.code }),
          ...(failure.decline_code !== undefined && { decline_code: failure.decline_code }),
          message: failure.message,
          payment_method: method,
        }
      : null,
  } satisfies Stripe.PaymentIntent;
  ledger.paymentIntents.put(attempted.id, attempted);
  ledger.emit(failure ? 'charge.failed' : 'charge.succeeded', charge);
  ledger.emit(failure ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', attempted);
  if (failure) return { kind: 'refused', error: failure };
  if (behaviour.kind === 'is-disputed') openDispute(ledger, charge);

  const payment = ledger.invoicePayments.get(invoice.id);
  if (payment) {
    ledger.invoicePayments.put(invoice.id, {
      ...payment,
      amount_paid: invoice.amount_due,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: ledger.now() },
    });
  }
  return { kind: 'paid' };
}

/** Cancels the payment of an invoice that is voided. */
export function cancelPayment(ledger: Ledger, invoice: Stripe.Invoice): void {
  const payment = ledger.invoicePayments.get(invoice.id);
  const intent = ledger.paymentIntents.get(idOf(payment?.payment.payment_intent));
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

const cardError = (message: string, code: string, declineCode?: string): ErrorBody => ({
  type: 'card_error',
  message,
  code,
  ...(declineCode !== undefined && { decline_code: declineCode }),
});

function intentOf(ledger: Ledger, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const existingId = ledger.invoicePayments.get(invoice.id)?.payment.payment_intent;
  const existing = existingId === undefined ? undefined : ledger.paymentIntents.get(idOf(existingId));
  if (existing) return existing;

  const id = newId('pi');
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomLetters(24)}`,
    confirmation_method: 'automatic',
    created: ledger.now(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
  ledger.paymentIntents.put(id, intent);
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
    payment: { type: 'payment_intent', payment_intent: id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  } satisfies Stripe.InvoicePayment;
  ledger.invoicePayments.put(invoice.id, payment);
  ledger.emit('payment_intent.created', intent);
  return intent;
}

function chargeOf(
  ledger: Ledger,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  failure: ErrorBody | undefined,
): Stripe.Charge {
  const id = newId('ch');
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: failure ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: failure ? null : newId('txn'),
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SELFSAME',
    captured: !failure,
    created: ledger.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failure ? 'declined_by_network' : 'approved_by_network',
      reason: failure?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: failure
        ? 'The bank did not return any further details with this decline.'
        : 'Payment complete.',
      type: failure ? 'issuer_declined' : 'authorized',
    },
    paid: !failure,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetailsOf(method, failure ? null : intent.amount), type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: invoice.hosted_invoice_url ?? null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: failure ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}

const cardDetailsOf = (
  { card }: Stripe.PaymentMethod,
  amount: number | null,
): Stripe.Charge.PaymentMethodDetails.Card => ({
  amount_authorized: amount,
  authorization_code: null,
  brand: card?.brand ?? null,
  checks: card?.checks ?? null,
  country: card?.country ?? null,
  electronic_commerce_indicator: null,
  exp_month: card?.exp_month ?? 12,
  exp_year: card?.exp_year ?? 2099,
  fingerprint: card?.fingerprint ?? null,
  funding: card?.funding ?? null,
  installments: null,
  last4: card?.last4 ?? null,
  mandate: null,
  network: card?.brand ?? null,
  network_transaction_id: null,
  regulated_status: 'unregulated',
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
});
