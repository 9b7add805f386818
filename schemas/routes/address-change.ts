import * as z from 'zod/mini';
import { AddressChangeResponse } from '../shapes/new-address.ts';
import { ProofToken } from '../shapes/proof-token.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Proves the new address of an account, or approves or stops the change, for the holder of a link from our
 * mail. Makes the change once nothing is missing.
 */
export const endpoint = {
  method: 'POST',
  path: '/address-change',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    Waitlist: ['GetItem', 'PutItem', 'DeleteItem'],
    Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['Query', 'DeleteItem'],
    Proofs: ['GetItem', 'PutItem'],
  },
  userPool: [
    'AdminDeleteUser',
    'AdminDisableProviderForUser',
    'AdminGetUser',
    'AdminUpdateUserAttributes',
    'AdminUserGlobalSignOut',
    'ListUsers',
  ],
  needs: ['proofs', 'stripe', 'mail', 'site'],
  /** `prove`: with a link to the new mailbox. `approve`, `stop`: with a link to the old mailbox. */
  body: z.strictObject({ token: ProofToken, action: z.enum(['prove', 'approve', 'stop']) }),
  response: AddressChangeResponse,
  refusals: ['link-invalid', 'address-taken'],
} as const satisfies Endpoint;
