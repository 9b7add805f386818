import { UndoEmailRequest, UndoEmailResponse } from '../rows/address-change.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Gives an account back to the holder of a link from a mail about a changed address, a linked provider or a
 * deletion that waits.
 */
export const endpoint = {
  method: 'POST',
  path: '/undo-email',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    Waitlist: ['GetItem', 'PutItem', 'DeleteItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
  },
  userPool: [
    'AdminGetUser',
    'ListUsers',
    'AdminUpdateUserAttributes',
    'AdminDeleteUser',
    'AdminResetUserPassword',
    'AdminSetUserPassword',
    'AdminDisableProviderForUser',
    'AdminDisableUser',
    'AdminEnableUser',
    'AdminUserGlobalSignOut',
  ],
  needs: ['stripe', 'mail'],
  body: UndoEmailRequest,
  response: UndoEmailResponse,
  status: 200,
  refusals: ['undo-not-possible', 'undo-under-way'],
  // A token can't be guessed. This limit keeps a script from causing endless reads.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
