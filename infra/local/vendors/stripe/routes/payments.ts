import type Stripe from 'stripe';
import { checkCustomerFilter } from '../customers.ts';
import { invalid, missingReference, parameterMissing, parametersExclusive } from '../errors.ts';
import { between, updatedMetadata, metadata, oneOf, text } from '../fields.ts';
import { idOf } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { matching, page, pagination } from '../list.ts';
import { createRefund } from '../refunds.ts';
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
        matching(ledger.charges.list({ customer: input.customer }), input, 'payment_intent'),
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
        matching(ledger.invoicePayments.list(), input, 'invoice', 'status'),
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
      return createRefund(ledger, charge, {
        amount,
        metadata: updatedMetadata({}, input.metadata),
        reason: input.reason ?? null,
      });
    },
  ),

  route('GET', '/v1/refunds', { ...pagination, charge: text, payment_intent: text }, ({ ledger, input }) =>
    page(matching(ledger.refunds.list(), input, 'charge', 'payment_intent'), input, '/v1/refunds'),
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
