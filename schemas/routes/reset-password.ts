import * as z from 'zod/mini';
import { NewPassword } from '../shapes/new-password.ts';
import { ProofToken } from '../shapes/proof-token.ts';
import type { Endpoint } from './endpoint.ts';

/** Ends every session of an account and sets its password, for the holder of a link from our mail. */
export const endpoint = {
  method: 'POST',
  path: '/reset-password',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['Query', 'DeleteItem'],
    Proofs: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  userPool: [
    'AdminDeleteUser',
    'AdminDisableProviderForUser',
    'AdminGetUser',
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
    'AdminUserGlobalSignOut',
  ],
  needs: ['proofs', 'mail', 'site'],
  /** `access_token`: the proof in the mail's link. */
  body: z.strictObject({ access_token: ProofToken, newPassword: NewPassword }),
  /** The account's address, and a ticket, which signs in once, within five minutes. */
  response: z.object({ email: z.string(), ticket: z.string() }),
  refusals: ['link-invalid', 'weak-password', 'address-taken', 'busy'],
} as const satisfies Endpoint;
