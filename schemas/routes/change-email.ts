import { ChangeEmailRequest, ChangeEmailResponse } from '../address-change.ts';
import type { Endpoint } from '../endpoint.ts';

/** Sends a code to another e-mail address that the caller wants to have. */
export const endpoint = {
  method: 'POST',
  path: '/change-email',
  caller: 'bearer',
  needs: ['addressChanges', 'readAddresses', 'lookUpAccounts', 'mail', 'suppressedMail', 'site'],
  body: ChangeEmailRequest,
  response: ChangeEmailResponse,
  status: 200,
  refusals: [
    'sign-in-again',
    'address-from-provider',
    'same-address',
    'mail-came-back',
    'too-many-tries',
    'mail-not-sent',
  ],
} as const satisfies Endpoint;
