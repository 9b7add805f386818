import * as z from 'zod/mini';
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
  response: z.object({
    /** Whether this call ended a running subscription. */
    subscriptionEnded: z.boolean(),
    /** Whether the mail about it was sent, by this call or another. The account is deleted either way. */
    mailSent: z.boolean(),
  }),
  refusals: ['sign-in-again'],
} as const satisfies Endpoint;
