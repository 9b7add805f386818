import * as z from 'zod/mini';
import { Address } from '../shapes/address.ts';
import { WaitingAddress } from '../shapes/new-address.ts';
import { countedMail, type Endpoint, sessionTables } from './endpoint.ts';

/**
 * Asks for another e-mail address for the caller's account: mails a link to both mailboxes. Or takes a
 * waiting change back. Or, with the present address while mail to it bounces, mails a link that proves it
 * again.
 */
export const endpoint = {
  method: 'POST',
  path: '/change-email',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem'],
    StripeWork: ['UpdateItem'],
    Addresses: ['GetItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    Proofs: ['PutItem'],
    Limits: countedMail,
  },
  userPool: ['AdminGetUser'],
  needs: ['proofs', 'mail', 'suppressedMail', 'unsuppressedMail', 'site'],
  /** Null takes a waiting change back. `again`: although our mail counts as spam at the new address. */
  body: z.strictObject({ newEmail: z.nullable(Address), again: z.optional(z.boolean()) }),
  /** The same answer for every address, whether or not it has an account. Null if none waits. */
  response: z.object({ waiting: z.nullable(WaitingAddress) }),
  refusals: [
    'sign-in-again',
    'address-from-provider',
    'same-address',
    'undeliverable-address',
    'marked-as-spam',
    'mails-spent',
    'mail-not-sent',
    'busy',
  ],
} as const satisfies Endpoint;
