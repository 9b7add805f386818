import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Disconnects a provider from the caller's account, or lets it be connected again. */
export const endpoint = {
  method: 'POST',
  path: '/change-provider',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem', 'UpdateItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['Query', 'PutItem', 'DeleteItem'],
    Proofs: ['PutItem'],
  },
  userPool: ['AdminDisableProviderForUser', 'AdminGetUser', 'ListUsers', 'AdminUserGlobalSignOut'],
  needs: ['proofs', 'mail', 'site'],
  body: z.strictObject({ provider: z.enum(providerKeys), connected: z.boolean() }),
  /** Whether every session was ended, the caller's included. */
  response: z.object({ sessionsEnded: z.boolean() }),
  refusals: ['sign-in-again', 'provider-stays', 'busy'],
} as const satisfies Endpoint;
