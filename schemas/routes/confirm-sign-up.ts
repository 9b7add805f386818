import { ConfirmSignUpRequest, ConfirmSignUpResponse } from '../shapes/confirm-sign-up.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/**
 * Confirms a sign-up for whoever has the mail's link. The browser that signed up keeps the password; any
 * other chooses name and password, since anyone may have begun the account.
 */
export const endpoint = {
  method: 'POST',
  path: '/confirm-sign-up',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    Addresses: ['GetItem', 'PutItem'],
    Proofs: ['GetItem'],
  },
  userPool: [
    'AdminConfirmSignUp',
    'AdminCreateUser',
    'AdminDeleteUser',
    'AdminGetUser',
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
  ],
  needs: ['proofs'],
  body: ConfirmSignUpRequest,
  response: ConfirmSignUpResponse,
  status: 200,
  refusals: [
    'link-invalid',
    'password-needed',
    'address-taken',
    'busy',
    'weak-password',
    'name-missing',
    'name-too-long',
    'name-unusable',
  ],
  throttle: openThrottle,
} as const satisfies Endpoint;
