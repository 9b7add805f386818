import { ChangePasswordRequest, ChangePasswordResponse } from '../shapes/account.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Changes the caller's password and ends the account's sessions. */
export const endpoint = {
  method: 'POST',
  path: '/change-password',
  caller: 'bearer',
  notesSession: true,
  tables: { ...sessionTables, UserPlans: ['GetItem', 'UpdateItem'], Proofs: ['PutItem'] },
  needs: ['proofs', 'mail', 'site'],
  body: ChangePasswordRequest,
  response: ChangePasswordResponse,
  status: 200,
  refusals: ['wrong-password', 'weak-password', 'no-password', 'too-many-tries'],
} as const satisfies Endpoint;
