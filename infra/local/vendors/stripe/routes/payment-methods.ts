import type Stripe from 'stripe';
import { existingCustomer } from '../customers.ts';
import { required, text } from '../fields.ts';
import type { Ledger } from '../ledger.ts';
import { attach } from '../payment-methods.ts';
import { inPath, route, type Route } from '../route.ts';

export const paymentMethodRoutes: Route[] = [
  route('GET', '/v1/payment_methods/:id', {}, ({ ledger, id }) => methodInPath(ledger, id)),

  route('POST', '/v1/payment_methods/:id/attach', { customer: required(text) }, ({ ledger, id, input }) =>
    attach(ledger, id, existingCustomer(ledger, input.customer)),
  ),
];

const methodInPath = (ledger: Ledger, id: string): Stripe.PaymentMethod =>
  inPath(ledger.paymentMethods, id, 'PaymentMethod', 'payment_method');
