import { ConfirmSignUpRequest, ConfirmSignUpResponse } from '../shapes/confirm-sign-up.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/**
 * Confirms a sign-up and sets its name and password, for whoever has the mailed code: anyone may have begun
 * the account. The browser that signed up confirms at Cognito, and keeps its password.
 */
export const endpoint = {
  method: 'POST',
  path: '/confirm-sign-up',
  caller: 'anyone',
  tables: { AddressChanges: ['UpdateItem'] },
  userPool: ['AdminSetUserPassword', 'AdminUpdateUserAttributes'],
  needs: ['siteClient'],
  body: ConfirmSignUpRequest,
  response: ConfirmSignUpResponse,
  status: 200,
  refusals: [
    'wrong-code',
    'too-many-tries',
    'confirmed-already',
    'code-expired',
    'address-taken',
    'weak-password',
    'name-missing',
    'name-too-long',
    'name-unusable',
  ],
  throttle: openThrottle,
} as const satisfies Endpoint;
