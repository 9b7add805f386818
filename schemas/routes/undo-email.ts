import { UndoEmailRequest, UndoEmailResponse } from '../rows/address-change.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Restores an account's earlier e-mail address, for the holder of the link that was mailed to that address.
 */
export const endpoint = {
  method: 'POST',
  path: '/undo-email',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem'],
    StripeWork: ['UpdateItem'],
    Waitlist: ['GetItem', 'PutItem', 'DeleteItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
  },
  userPool: [
    'AdminGetUser',
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
  refusals: ['undo-not-possible'],
  // A token can't be guessed. This limit keeps a script from causing endless reads.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
