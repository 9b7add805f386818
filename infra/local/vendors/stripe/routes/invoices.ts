import type Stripe from 'stripe';
import { checkCustomerFilter } from '../customers.ts';
import { invalid, missing, missingReference } from '../errors.ts';
import { flag, oneOf, text } from '../fields.ts';
import { idOf } from '../ids.ts';
import { markPaid, subscriptionIdOf } from '../invoices.ts';
import type { Ledger } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { usablePaymentMethod } from '../payment-methods.ts';
import { RecordedRefusal, route, type Route } from '../route.ts';
import { activate, attemptPayment } from '../subscriptions.ts';

export const invoiceRoutes: Route[] = [
  route(
    'GET',
    '/v1/invoices',
    {
      ...pagination,
      customer: text,
      status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
      subscription: text,
    },
    ({ ledger, input }) => {
      checkCustomerFilter(ledger, input.customer);
      if (input.subscription !== undefined && !ledger.subscriptions.get(input.subscription)) {
        throw missingReference('subscription', input.subscription, 'subscription');
      }
      return page(
        ledger.invoices
          .list()
          .filter((invoice) => input.customer === undefined || invoice.customer === input.customer)
          .filter((invoice) => input.status === undefined || invoice.status === input.status)
          .filter(
            (invoice) => input.subscription === undefined || subscriptionIdOf(invoice) === input.subscription,
          ),
        input,
        '/v1/invoices',
      );
    },
  ),

  route('GET', '/v1/invoices/:id', {}, ({ ledger, id }) => invoiceInPath(ledger, id)),

  route(
    'POST',
    '/v1/invoices/:id/pay',
    { off_session: flag, paid_out_of_band: flag, payment_method: text },
    ({ ledger, id, input }) => {
      const invoice = payable(invoiceInPath(ledger, id));
      if (input.paid_out_of_band) {
        markPaid(ledger, invoice);
        const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
        if (subscription) activate(ledger, subscription);
        return invoiceInPath(ledger, id);
      }
      const method =
        input.payment_method === undefined
          ? undefined
          : usablePaymentMethod(ledger, input.payment_method, idOf(invoice.customer), 'payment_method');
      const outcome = attemptPayment(
        ledger,
        invoice,
        { presence: input.off_session === false ? 'on-session' : 'off-session', attempt: 'requested' },
        method,
      );
      return outcome.kind === 'paid'
        ? invoiceInPath(ledger, id)
        : new RecordedRefusal(outcome.error.type === 'card_error' ? 402 : 400, outcome.error);
    },
  ),

  route('POST', '/v1/invoices/:id/void', {}, ({ ledger, id }) =>
    voidInvoice(ledger, invoiceInPath(ledger, id)),
  ),
];

function invoiceInPath(ledger: Ledger, id: string): Stripe.Invoice {
  const invoice = ledger.invoices.get(id);
  if (!invoice) throw missing('invoice', id, 'invoice');
  return invoice;
}

function payable(invoice: Stripe.Invoice): Stripe.Invoice {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid');
  if (invoice.status === 'void') throw invalid('Invoice is voided and can not be paid.');
  return invoice;
}

function voidInvoice(ledger: Ledger, before: Stripe.Invoice): Stripe.Invoice {
  if (before.status !== 'open') {
    throw invalid(`You can only pass in open invoices. This invoice has the status ${before.status}.`);
  }
  const invoice: Stripe.Invoice = {
    ...before,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: ledger.now() },
  };
  ledger.invoices.put(invoice.id, invoice);
  ledger.schedule('invoice', invoice.id, undefined);
  ledger.emit('invoice.voided', invoice);
  return invoice;
}
