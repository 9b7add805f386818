import { ConfirmEmailRequest, ConfirmEmailResponse } from '../address-change.ts';
import type { Endpoint } from '../endpoint.ts';

/** Changes the caller's e-mail address with the code from its mailbox, and ends the account's sessions. */
export const endpoint = {
  method: 'POST',
  path: '/confirm-email',
  caller: 'bearer',
  needs: [
    'readPlans',
    'addressChanges',
    'addresses',
    'lookUpAccounts',
    'setAddresses',
    'removeAccounts',
    'moveWaitlist',
    'stripe',
    'leaveTasks',
    'mail',
    'site',
  ],
  body: ConfirmEmailRequest,
  response: ConfirmEmailResponse,
  status: 200,
  refusals: [
    'wrong-code',
    'code-expired',
    'address-taken',
    'address-from-provider',
    'too-many-tries',
    'mail-not-sent',
  ],
} as const satisfies Endpoint;
