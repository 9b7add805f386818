import * as z from 'zod/mini';
import { DeleteAccountResponse } from '../shapes/account.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Deletes the caller's account, and ends its subscription at once. */
export const endpoint = {
  method: 'POST',
  path: '/delete-account',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    StripeWork: ['UpdateItem'],
    Addresses: ['DeleteItem'],
    AddressChanges: ['DeleteItem'],
    AppSessions: ['Query', 'PutItem', 'DeleteItem'],
  },
  userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser'],
  needs: ['stripe', 'mail', 'site'],
  body: z.strictObject({}),
  response: DeleteAccountResponse,
  status: 200,
  refusals: ['sign-in-again'],
} as const satisfies Endpoint;
