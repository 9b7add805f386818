import { UndoEmailRequest, UndoEmailResponse } from '../address-change.ts';
import type { Endpoint } from '../endpoint.ts';

/** Gives an account its earlier e-mail address back, for the holder of the link that was mailed to it. */
export const endpoint = {
  method: 'POST',
  path: '/undo-email',
  caller: 'anyone',
  needs: [
    'readPlans',
    'addressChanges',
    'addresses',
    'lookUpAccounts',
    'setAddresses',
    'removeAccounts',
    'lockAccounts',
    'moveWaitlist',
    'stripe',
    'leaveTasks',
    'mail',
  ],
  body: UndoEmailRequest,
  response: UndoEmailResponse,
  status: 200,
  refusals: ['undo-not-possible'],
  // Nobody guesses a token. This keeps a script from causing reads without end.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
