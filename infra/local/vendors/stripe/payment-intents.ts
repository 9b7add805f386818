import type Stripe from 'stripe';
import type { ErrorBody } from './errors.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import type { Ledger } from './ledger.ts';

/** Creates the payment intent of an invoice or of a Checkout Session. */
export function createIntent(
  ledger: Ledger,
  payable: Pick<Stripe.PaymentIntent, 'amount' | 'currency' | 'customer' | 'description'>,
): Stripe.PaymentIntent {
  const { amount, currency, customer, description } = payable;
  const id = newId('pi');
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
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
    currency,
    customer,
    customer_account: null,
    description,
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
  ledger.emit('payment_intent.created', intent);
  return intent;
}

/** The payment intent of an invoice. Undefined before the first attempt. */
export function existingIntent(ledger: Ledger, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const id = ledger.invoicePayments.get(invoice.id)?.payment.payment_intent;
  return id === undefined ? undefined : ledger.paymentIntents.get(idOf(id));
}

/** Records a failed attempt, which has no charge if the cardholder did not authenticate it. */
export function failIntent(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  { charge, error, method }: { charge?: Stripe.Charge; error: ErrorBody; method: Stripe.PaymentMethod },
): void {
  const failed = {
    ...intent,
    payment_method: null,
    latest_charge: charge?.id ?? null,
    amount_received: 0,
    next_action: null,
    status: 'requires_payment_method',
    last_payment_error: { ...paymentErrorOf(error, method), ...(charge && { charge: charge.id }) },
  } satisfies Stripe.PaymentIntent;
  ledger.paymentIntents.put(failed.id, failed);
  if (charge) ledger.emit('charge.failed', charge);
  ledger.emit('payment_intent.payment_failed', failed);
}

/** An error in the form of `last_payment_error`. */
export const paymentErrorOf = (
  { code, decline_code: declineCode, message }: ErrorBody,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent.LastPaymentError => ({
  type: 'card_error',
  ...(code !== undefined && { code }),
  ...(declineCode !== undefined && { decline_code: declineCode }),
  message,
  payment_method: method,
});
