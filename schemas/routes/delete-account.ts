import * as z from 'zod/mini';
import { DeleteAccountResponse } from '../shapes/account.ts';
import type { Endpoint } from './endpoint.ts';

/** Deletes the caller's account, and ends its subscription at once. */
export const endpoint = {
  method: 'POST',
  path: '/delete-account',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    StripeWork: ['UpdateItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['DeleteItem'],
  },
  needs: ['stripe', 'mail'],
  body: z.strictObject({}),
  response: DeleteAccountResponse,
  status: 200,
  refusals: ['sign-in-again'],
} as const satisfies Endpoint;
