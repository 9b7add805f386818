import type Stripe from 'stripe';
import { checkCustomerFilter } from '../customers.ts';
import { invalid, missingReference, parameterMissing, parametersExclusive } from '../errors.ts';
import { between, updatedMetadata, metadata, oneOf, text } from '../fields.ts';
import { idOf, newId } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { route, type Route } from '../route.ts';

const refundReasons = oneOf('duplicate', 'fraudulent', 'requested_by_customer');

export const paymentRoutes: Route[] = [
  route(
    'GET',
    '/v1/charges',
    { ...pagination, customer: text, payment_intent: text },
    ({ ledger, input }) => {
      checkCustomerFilter(ledger, input.customer);
      return page(
        ledger.charges
          .list()
          .filter((charge) => input.customer === undefined || charge.customer === input.customer)
          .filter(
            (charge) => input.payment_intent === undefined || charge.payment_intent === input.payment_intent,
          ),
        input,
        '/v1/charges',
      );
    },
  ),

  route(
    'GET',
    '/v1/invoice_payments',
    { ...pagination, invoice: text, status: oneOf('open', 'paid', 'canceled') },
    ({ ledger, input }) => {
      if (input.invoice !== undefined && !ledger.invoices.get(input.invoice)) {
        throw missingReference('invoice', input.invoice, 'invoice');
      }
      return page(
        ledger.invoicePayments
          .list()
          .filter((payment) => input.invoice === undefined || payment.invoice === input.invoice)
          .filter((payment) => input.status === undefined || payment.status === input.status),
        input,
        '/v1/invoice_payments',
      );
    },
  ),

  route(
    'POST',
    '/v1/refunds',
    {
      amount: between(1, 99_999_999),
      charge: text,
      metadata,
      payment_intent: text,
      reason: refundReasons,
    },
    ({ ledger, input }) => {
      const charge = chargeToRefund(ledger, input);
      const left = charge.amount - charge.amount_refunded;
      const amount = input.amount ?? left;
      if (charge.disputed) {
        throw invalid(
          `Charge ${charge.id} has been charged back; cannot issue a refund.`,
          undefined,
          'charge_disputed',
        );
      }
      if (left === 0) {
        throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
      }
      if (amount > left) {
        throw invalid(
          `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
          'amount',
        );
      }
      const refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        balance_transaction: newId('txn'),
        charge: charge.id,
        created: ledger.now(),
        currency: charge.currency,
        customer: charge.customer,
        customer_account: null,
        metadata: updatedMetadata({}, input.metadata),
        payment_intent: charge.payment_intent,
        payment_method: charge.payment_method,
        reason: input.reason ?? null,
        receipt_number: null,
        source_transfer_reversal: null,
        status: 'succeeded',
        transfer_reversal: null,
      } satisfies Stripe.Refund;
      ledger.refunds.put(refund.id, refund);
      const refunded = {
        ...charge,
        amount_refunded: charge.amount_refunded + amount,
        refunded: amount === left,
      };
      ledger.charges.put(charge.id, refunded);
      ledger.emit('refund.created', refund);
      ledger.emit('charge.refunded', refunded, charge);
      return refund;
    },
  ),

  route('GET', '/v1/refunds', { ...pagination, charge: text, payment_intent: text }, ({ ledger, input }) =>
    page(
      ledger.refunds
        .list()
        .filter((refund) => input.charge === undefined || refund.charge === input.charge)
        .filter(
          (refund) => input.payment_intent === undefined || refund.payment_intent === input.payment_intent,
        ),
      input,
      '/v1/refunds',
    ),
  ),
];

function chargeToRefund(ledger: Ledger, input: { charge?: string; payment_intent?: string }): Stripe.Charge {
  if (input.charge !== undefined && input.payment_intent !== undefined) {
    throw parametersExclusive('charge', 'payment_intent');
  }
  if (input.charge !== undefined) {
    const charge = ledger.charges.get(input.charge);
    if (!charge) throw missingReference('charge', input.charge, 'charge');
    if (!charge.paid) throw invalid(`Charge ${charge.id} has not been paid.`, 'charge');
    return charge;
  }
  if (input.payment_intent === undefined) throw parameterMissing('payment_intent');
  const intent = ledger.paymentIntents.get(input.payment_intent);
  if (!intent) throw missingReference('payment_intent', input.payment_intent, 'payment_intent');
  const charge = intent.status === 'succeeded' ? ledger.charges.get(idOf(intent.latest_charge)) : undefined;
  if (!charge) {
    throw invalid(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
    );
  }
  return charge;
}
