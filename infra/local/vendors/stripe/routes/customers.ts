import type Stripe from 'stripe';
import { createCustomer, customerFields, emptyAddress } from '../customers.ts';
import { missing, missingReference } from '../errors.ts';
import { text, updatedMetadata } from '../fields.ts';
import { applyBalance } from '../invoices.ts';
import { page, pagination } from '../list.ts';
import { attach, usablePaymentMethod } from '../payment-methods.ts';
import { inPath, route, type Route } from '../route.ts';
import { endSubscription, hasEnded } from '../subscriptions.ts';

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', { ...customerFields, payment_method: text }, ({ ledger, input }) => {
    if (input.invoice_settings?.default_payment_method) {
      // Stripe accepts a payment method of the same request. The product doesn't use that.
      throw missingReference(
        'PaymentMethod',
        input.invoice_settings.default_payment_method,
        'invoice_settings[default_payment_method]',
      );
    }
    const customer = createCustomer(ledger, input);
    if (input.payment_method !== undefined) attach(ledger, input.payment_method, customer);
    return customer;
  }),

  route('GET', '/v1/customers', { ...pagination, email: text }, ({ ledger, input }) =>
    page(
      ledger.customers
        .list()
        .filter(
          (customer): customer is Stripe.Customer =>
            !customer.deleted && (input.email === undefined || customer.email === input.email),
        ),
      input,
      '/v1/customers',
    ),
  ),

  route('GET', '/v1/customers/:id', {}, ({ ledger, id }) => inPath(ledger.customers, id, 'customer')),

  route('POST', '/v1/customers/:id', customerFields, ({ ledger, id, input }) => {
    const before = ledger.customers.get(id);
    if (!before || before.deleted) throw missing('customer', id);
    const { address: place, invoice_settings: settings, metadata: change, ...rest } = input;
    const defaultMethod = settings?.default_payment_method;
    if (defaultMethod) {
      usablePaymentMethod(ledger, defaultMethod, id, 'invoice_settings[default_payment_method]');
    }
    const customer = {
      ...before,
      ...rest,
      ...(place !== undefined && { address: place && { ...emptyAddress, ...place } }),
      ...(defaultMethod !== undefined && {
        invoice_settings: { ...before.invoice_settings, default_payment_method: defaultMethod },
      }),
      metadata: updatedMetadata(before.metadata, change),
    } satisfies Stripe.Customer;
    ledger.customers.put(id, customer);
    ledger.emit('customer.updated', customer, before);
    if (input.balance !== undefined) applyBalance(ledger, id, input.balance);
    return customer;
  }),

  route('DELETE', '/v1/customers/:id', {}, ({ ledger, id }) => {
    const customer = ledger.customers.get(id);
    if (!customer || customer.deleted) throw missing('customer', id);
    for (const subscription of ledger.subscriptions.list({ customer: id })) {
      if (!hasEnded(subscription)) endSubscription(ledger, subscription, 'cancellation_requested');
    }
    // "Deleting customers removes all credit card details": Stripe's reference.
    for (const method of ledger.paymentMethods.list({ customer: id })) {
      ledger.paymentMethods.put(method.id, { ...method, customer: null });
    }
    const deleted = { id, object: 'customer', deleted: true } satisfies Stripe.DeletedCustomer;
    ledger.customers.put(id, deleted);
    ledger.emit('customer.deleted', customer);
    return deleted;
  }),
];
