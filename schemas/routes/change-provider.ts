import { ChangeProviderRequest, ChangeProviderResponse } from '../shapes/sessions.ts';
import type { Endpoint } from './endpoint.ts';

/** Disconnects a provider from the caller's account, or lets it be connected again. */
export const endpoint = {
  method: 'POST',
  path: '/change-provider',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem', 'UpdateItem'], AddressChanges: ['GetItem', 'PutItem'] },
  userPool: ['AdminDisableProviderForUser', 'AdminGetUser'],
  needs: ['mail', 'site'],
  body: ChangeProviderRequest,
  response: ChangeProviderResponse,
  status: 200,
  refusals: ['sign-in-again', 'provider-stays', 'account-closing', 'undo-under-way'],
} as const satisfies Endpoint;
