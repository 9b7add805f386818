import type Stripe from 'stripe';
import { checkCustomerFilter } from '../customers.ts';
import { invalid, missingReference, StripeRefusal } from '../errors.ts';
import { flag, metadata, oneOf, required, text } from '../fields.ts';
import { idOf } from '../ids.ts';
import { markPaid, markUncollectible, markVoid } from '../collect-invoice.ts';
import { subscriptionIdOf } from '../invoice-store.ts';
import { finalizeInvoice, updateInvoice } from '../invoices.ts';
import type { Ledger } from '../ledger.ts';
import { matching, page, pagination } from '../list.ts';
import { usablePaymentMethod } from '../payment-methods.ts';
import { isProcessing } from '../payments.ts';
import { inPath, RecordedRefusal, route, type Route } from '../route.ts';
import { activate, attemptPayment, previewInvoice } from '../subscriptions.ts';

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
      const subscription = ledger.subscriptions.get(input.subscription ?? '');
      if (input.subscription !== undefined && !subscription) {
        throw missingReference('subscription', input.subscription, 'subscription');
      }
      const invoices = ledger.invoices
        .list({ customer: input.customer ?? (subscription && idOf(subscription.customer)) })
        .filter(
          (invoice) => input.subscription === undefined || subscriptionIdOf(invoice) === input.subscription,
        );
      return page(matching(invoices, input, 'status'), input, '/v1/invoices');
    },
  ),

  route('GET', '/v1/invoices/:id', {}, ({ ledger, id }) => invoiceInPath(ledger, id)),

  route(
    'POST',
    '/v1/invoices/create_preview',
    { customer: text, subscription: required(text) },
    ({ ledger, input }) => {
      const subscription = ledger.subscriptions.get(input.subscription);
      if (!subscription) throw missingReference('subscription', input.subscription, 'subscription');
      const preview = previewInvoice(ledger, subscription);
      if (preview) return preview;
      throw new StripeRefusal(404, {
        type: 'invalid_request_error',
        code: 'invoice_upcoming_none',
        message: `No upcoming invoices for customer: ${idOf(subscription.customer)}`,
      });
    },
  ),

  // Limited to the parameters that every status allows. The other parameters are for drafts.
  route('POST', '/v1/invoices/:id', { auto_advance: flag, metadata }, ({ ledger, id, input }) => {
    const before = invoiceInPath(ledger, id);
    const { auto_advance: autoAdvance } = input;
    // "Automatic advancement and collection never occur on invoices that are marked uncollectible, void, or
    // paid" (https://docs.stripe.com/invoicing/integration/automatic-advancement-collection). The refusal's
    // sentence isn't documented.
    if (autoAdvance && !isPending(before)) {
      throw invalid(`The invoice has the status ${before.status} and can no longer advance.`, 'auto_advance');
    }
    return updateInvoice(ledger, before, { autoAdvance, metadata: input.metadata });
  }),

  route('POST', '/v1/invoices/:id/finalize', { auto_advance: flag }, ({ ledger, id, input }) => {
    const invoice = invoiceInPath(ledger, id);
    if (invoice.status !== 'draft') {
      throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
    }
    refuseFinalization(ledger, invoice);
    return finalizeInvoice(ledger, invoice, input.auto_advance);
  }),

  // "If an invoice is for a subscription, it must be voided": Stripe's reference. All invoices here are.
  route('DELETE', '/v1/invoices/:id', {}, ({ ledger, id }) => {
    invoiceInPath(ledger, id);
    throw invalid("You can't delete invoices created by subscriptions.");
  }),

  route(
    'POST',
    '/v1/invoices/:id/pay',
    { off_session: flag, paid_out_of_band: flag, payment_method: text },
    ({ ledger, id, input }) => {
      const found = payable(invoiceInPath(ledger, id));
      refuseProcessing(ledger, found);
      // "Stripe automatically finalizes drafts before [...] attempting payment on invoices": the reference.
      refuseFinalization(ledger, found);
      const invoice = found.status === 'draft' ? finalizeInvoice(ledger, found) : found;
      if (input.paid_out_of_band) {
        markPaid(ledger, invoice);
        activateAfter(ledger, invoice);
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
      if (outcome.kind === 'requires-action') return actionRequired();
      return 'error' in outcome
        ? new RecordedRefusal(outcome.error.type === 'card_error' ? 402 : 400, outcome.error)
        : invoiceInPath(ledger, id);
    },
  ),

  route('POST', '/v1/invoices/:id/void', {}, ({ ledger, id }) => {
    const invoice = voidInvoice(ledger, invoiceInPath(ledger, id));
    activateAfter(ledger, invoice);
    return invoice;
  }),

  route('POST', '/v1/invoices/:id/mark_uncollectible', {}, ({ ledger, id }) => {
    const before = invoiceInPath(ledger, id);
    if (before.status !== 'open') throw invalid('Only open invoices can be marked uncollectible.');
    refuseProcessing(ledger, before);
    const invoice = markUncollectible(ledger, before, 'user_forgiven');
    activateAfter(ledger, invoice);
    return invoice;
  }),
];

function activateAfter(ledger: Ledger, invoice: Stripe.Invoice): void {
  const subscription = ledger.subscriptions.get(subscriptionIdOf(invoice));
  if (subscription) activate(ledger, subscription);
}

/** The sentence of the error that stands in the way of finalizing an invoice. */
function refuseFinalization(ledger: Ledger, { customer, status }: Stripe.Invoice): void {
  const error = status === 'draft' ? ledger.notFinalized.get(idOf(customer)) : undefined;
  if (error) throw invalid(error.message ?? '', undefined, error.code);
}

const invoiceInPath = (ledger: Ledger, id: string): Stripe.Invoice =>
  inPath(ledger.invoices, id, 'invoice', 'invoice');

/** https://docs.stripe.com/error-codes#invoice-payment-intent-requires-action */
const actionRequired = (): RecordedRefusal =>
  new RecordedRefusal(402, {
    type: 'card_error',
    code: 'invoice_payment_intent_requires_action',
    message:
      'This payment requires additional user action before it can be completed successfully. Payment can be ' +
      'completed using the PaymentIntent associated with the invoice.',
  });

const isPending = ({ status }: Stripe.Invoice): boolean => status === 'draft' || status === 'open';

function payable(invoice: Stripe.Invoice): Stripe.Invoice {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid');
  if (invoice.status === 'void') throw invalid('Voided invoices cannot be paid.');
  return invoice;
}

/** Stripe doesn't document what happens to an invoice with a processing payment. Here it waits. */
function refuseProcessing(ledger: Ledger, invoice: Stripe.Invoice): void {
  if (isProcessing(ledger, invoice)) throw invalid('A payment for this invoice is processing.');
}

/** Open invoices can be voided, and those that were written off. */
function voidInvoice(ledger: Ledger, before: Stripe.Invoice): Stripe.Invoice {
  if (before.status === 'paid') throw invalid('Invoices with `paid` payments cannot be voided.');
  if (before.status !== 'open' && before.status !== 'uncollectible')
    throw invalid("You can only pass in open invoices. This invoice isn't open.");
  refuseProcessing(ledger, before);
  return markVoid(ledger, before);
}
