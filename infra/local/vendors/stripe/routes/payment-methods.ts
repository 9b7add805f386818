import { existingCustomer } from '../customers.ts';
import { required, text } from '../fields.ts';
import { attach } from '../payment-methods.ts';
import { inPath, route, type Route } from '../route.ts';

export const paymentMethodRoutes: Route[] = [
  route('GET', '/v1/payment_methods/:id', {}, ({ ledger, id }) =>
    inPath(ledger.paymentMethods, id, 'PaymentMethod', 'payment_method'),
  ),

  route('POST', '/v1/payment_methods/:id/attach', { customer: required(text) }, ({ ledger, id, input }) =>
    attach(ledger, id, existingCustomer(ledger, input.customer)),
  ),
];
