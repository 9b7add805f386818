import { ChangeProviderRequest, ChangeProviderResponse } from '../shapes/sessions.ts';
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
    Proofs: ['PutItem'],
  },
  userPool: ['AdminDisableProviderForUser', 'AdminGetUser'],
  needs: ['proofs', 'mail', 'site'],
  body: ChangeProviderRequest,
  response: ChangeProviderResponse,
  status: 200,
  refusals: ['sign-in-again', 'provider-stays', 'busy'],
} as const satisfies Endpoint;
