import { ConfirmEmailRequest, ConfirmEmailResponse } from '../rows/address-change.ts';
import type { Endpoint } from './endpoint.ts';

/** Changes the caller's e-mail address with the code from its mailbox, and ends the account's sessions. */
export const endpoint = {
  method: 'POST',
  path: '/confirm-email',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    Waitlist: ['GetItem', 'PutItem', 'DeleteItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
  },
  userPool: ['AdminGetUser', 'AdminUpdateUserAttributes', 'AdminDeleteUser'],
  needs: ['stripe', 'mail', 'site'],
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
    'busy',
  ],
} as const satisfies Endpoint;
