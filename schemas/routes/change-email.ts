import { ChangeEmailRequest, ChangeEmailResponse } from '../rows/address-change.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Mails a code to the e-mail address that the caller wants to change to. */
export const endpoint = {
  method: 'POST',
  path: '/change-email',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem'],
    Addresses: ['GetItem'],
    AddressChanges: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  userPool: ['AdminGetUser'],
  needs: ['mail', 'suppressedMail', 'site'],
  body: ChangeEmailRequest,
  response: ChangeEmailResponse,
  status: 200,
  refusals: [
    'sign-in-again',
    'address-from-provider',
    'same-address',
    'undeliverable-address',
    'too-many-tries',
    'mail-not-sent',
    'busy',
  ],
} as const satisfies Endpoint;
