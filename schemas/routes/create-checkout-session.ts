import { CheckoutSessionRequest, CheckoutSessionResponse } from '../shapes/checkout.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Opens a checkout for Plus. The client secret is for Stripe's embedded checkout. */
export const endpoint = {
  method: 'POST',
  path: '/create-checkout-session',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
  },
  needs: ['stripe', 'mail', 'site', 'tax'],
  body: CheckoutSessionRequest,
  response: CheckoutSessionResponse,
  status: 200,
  refusals: [
    'unknown-plan',
    'not-yours',
    'already-subscribed',
    'renew-instead',
    'payment-processing',
    'account-closing',
  ],
} as const satisfies Endpoint;
