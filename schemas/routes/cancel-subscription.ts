import { CancelRequest, CancelResponse } from '../shapes/checkout.ts';
import type { Endpoint } from './endpoint.ts';

/** Cancels Plus at the end of the paid period. */
export const endpoint = {
  method: 'POST',
  path: '/cancel-subscription',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    AddressChanges: ['GetItem'],
  },
  needs: ['stripe', 'mail', 'site'],
  body: CancelRequest,
  response: CancelResponse,
  status: 200,
  refusals: ['no-active-subscription', 'already-cancelled'],
} as const satisfies Endpoint;
