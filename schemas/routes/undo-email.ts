import { UndoEmailRequest, UndoEmailResponse } from '../rows/address-change.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

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
  throttle: openThrottle,
} as const satisfies Endpoint;
