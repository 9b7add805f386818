import { ResetPasswordRequest, ResetPasswordResponse } from '../shapes/reset-password.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/** Ends every session of an account and sets its password, for the holder of a link from our mail. */
export const endpoint = {
  method: 'POST',
  path: '/reset-password',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['Query', 'DeleteItem'],
    Proofs: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  userPool: [
    'AdminDeleteUser',
    'AdminDisableProviderForUser',
    'AdminGetUser',
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
    'AdminUserGlobalSignOut',
  ],
  needs: ['proofs', 'mail', 'site'],
  body: ResetPasswordRequest,
  response: ResetPasswordResponse,
  status: 200,
  refusals: ['link-invalid', 'weak-password', 'address-taken', 'busy'],
  throttle: openThrottle,
} as const satisfies Endpoint;
