import * as z from 'zod/mini';
import { PersonName } from '../rows/waitlist.ts';
import { Address } from '../shapes/address.ts';
import { NewPassword } from '../shapes/new-password.ts';
import { ProofToken } from '../shapes/proof-token.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Confirms a sign-up for the holder of the mail's link. The browser that signed up keeps the password; any
 * other chooses name and password, since anyone may have begun the account.
 */
export const endpoint = {
  method: 'POST',
  path: '/confirm-sign-up',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    Addresses: ['GetItem', 'PutItem'],
    Proofs: ['GetItem', 'PutItem'],
  },
  userPool: [
    'AdminConfirmSignUp',
    'AdminCreateUser',
    'AdminDeleteUser',
    'AdminGetUser',
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
  ],
  needs: ['proofs'],
  body: z.strictObject({
    email: Address,
    token: ProofToken,
    /** The secret of the browser that signed up (`schemas/sign-up-browser.ts`). It keeps the password. */
    browser: z.optional(z.string().check(z.maxLength(100))),
    /** Name and password of the account from then on. Refused as `password-needed` where they are missing. */
    account: z.optional(z.strictObject({ name: PersonName, password: NewPassword })),
  }),
  /** The ticket signs in once, within five minutes. */
  response: z.object({ ticket: z.string() }),
  refusals: [
    'link-invalid',
    'password-needed',
    'already-confirmed',
    'address-taken',
    'busy',
    'weak-password',
    'name-missing',
    'name-too-long',
    'name-unusable',
  ],
} as const satisfies Endpoint;
