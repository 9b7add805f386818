import { UndoEmailRequest, UndoEmailResponse } from '../address-change.ts';
import type { Endpoint } from '../endpoint.ts';

export const endpoint = {
  method: 'POST',
  path: '/undo-email',
  caller: 'anyone',
  needs: [
    'readPlans',
    'addressChanges',
    'addresses',
    'setAddresses',
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
  throttle: { rate: 5, burst: 10 },
} as const satisfies Endpoint;
