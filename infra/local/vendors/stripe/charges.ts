import type Stripe from 'stripe';
import type { ErrorBody } from './errors.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';

/** The result of an attempt to charge. A pending charge settles later. */
export type ChargeResult = { status: 'succeeded' | 'pending' } | { status: 'failed'; failure: ErrorBody };

/** Stores the charge of an attempt to pay. `receiptUrl`: the page of its invoice. */
export function createCharge(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { result, receiptUrl }: { result: ChargeResult; receiptUrl: string | null },
): Stripe.Charge {
  const charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SELFSAME',
    created: ledger.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: cardDetailsOf(method, result.status === 'failed' ? null : intent.amount),
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: receiptUrl,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
    ...resultFields(intent.amount, result),
  } satisfies Stripe.Charge;
  ledger.charges.put(charge.id, charge);
  return charge;
}

export function settleCharge(ledger: Ledger, before: Stripe.Charge, result: ChargeResult): Stripe.Charge {
  const charge: Stripe.Charge = { ...before, ...resultFields(before.amount, result) };
  ledger.charges.put(charge.id, charge);
  return charge;
}

type ResultFields = Pick<
  Stripe.Charge,
  | 'amount_captured'
  | 'balance_transaction'
  | 'captured'
  | 'failure_code'
  | 'failure_message'
  | 'outcome'
  | 'paid'
  | 'status'
>;

function resultFields(amount: number, result: ChargeResult): ResultFields {
  const failure = result.status === 'failed' ? result.failure : undefined;
  return {
    amount_captured: failure ? 0 : amount,
    balance_transaction: result.status === 'succeeded' ? newId('txn') : null,
    captured: !failure,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
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
    paid: result.status === 'succeeded',
    status: result.status,
  };
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
