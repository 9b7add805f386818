import type Stripe from 'stripe';
import { existingCustomer, updateCustomer } from '../customers.ts';
import { invalid } from '../errors.ts';
import { required, text } from '../fields.ts';
import { idOf } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { attach } from '../payment-methods.ts';
import { inPath, route, type Route } from '../route.ts';

export const paymentMethodRoutes: Route[] = [
  route('GET', '/v1/payment_methods/:id', {}, ({ ledger, id }) => methodInPath(ledger, id)),

  route('POST', '/v1/payment_methods/:id/attach', { customer: required(text) }, ({ ledger, id, input }) =>
    attach(ledger, id, existingCustomer(ledger, input.customer)),
  ),

  route('POST', '/v1/payment_methods/:id/detach', {}, ({ ledger, id }) => {
    const before = methodInPath(ledger, id);
    if (before.customer === null) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
        'payment_method',
      );
    }
    const customerId = idOf(before.customer);
    const method = { ...before, customer: null };
    ledger.paymentMethods.put(id, method);
    ledger.emit('payment_method.detached', method, before);
    const customer = ledger.customers.get(customerId);
    if (customer && !customer.deleted && customer.invoice_settings.default_payment_method === id) {
      updateCustomer(ledger, customerId, {
        invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
      });
    }
    for (const subscription of ledger.subscriptions.list()) {
      if (subscription.default_payment_method !== id) continue;
      const without = { ...subscription, default_payment_method: null };
      ledger.subscriptions.put(subscription.id, without);
      ledger.emit('customer.subscription.updated', without, subscription);
    }
    return method;
  }),
];

const methodInPath = (ledger: Ledger, id: string): Stripe.PaymentMethod =>
  inPath(ledger.paymentMethods, id, 'PaymentMethod', 'payment_method');
