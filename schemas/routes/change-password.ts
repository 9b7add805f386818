import { ChangePasswordRequest, ChangePasswordResponse } from '../shapes/account.ts';
import type { Endpoint } from './endpoint.ts';

/** Changes the caller's password and ends the account's sessions. */
export const endpoint = {
  method: 'POST',
  path: '/change-password',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem', 'UpdateItem'], AddressChanges: ['GetItem'] },
  needs: ['mail', 'site'],
  body: ChangePasswordRequest,
  response: ChangePasswordResponse,
  status: 200,
  refusals: ['wrong-password', 'weak-password', 'no-password', 'too-many-tries'],
} as const satisfies Endpoint;
