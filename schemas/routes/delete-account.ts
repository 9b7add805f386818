import * as z from 'zod/mini';
import { DeleteAccountResponse } from '../shapes/account.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/**
 * Deletes the caller's account, and ends its subscription at once. After a change of address that can still
 * be undone, blocks the account and deletes it when that is over.
 */
export const endpoint = {
  method: 'POST',
  path: '/delete-account',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    StripeWork: ['UpdateItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    AppSessions: ['Query', 'PutItem', 'DeleteItem'],
  },
  userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser', 'AdminDisableUser', 'AdminUserGlobalSignOut'],
  needs: ['stripe', 'mail', 'site'],
  body: z.strictObject({}),
  response: DeleteAccountResponse,
  status: 200,
  refusals: ['sign-in-again'],
} as const satisfies Endpoint;
