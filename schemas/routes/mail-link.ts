import * as z from 'zod/mini';
import { Address } from '../shapes/address.ts';
import { countedMail, type Endpoint } from './endpoint.ts';

/**
 * Mails the owner of an account a link: to choose a password, or to end the contract, without a sign-in. An
 * account without a password gets a mail that says how its owner signs in.
 */
export const endpoint = {
  method: 'POST',
  path: '/mail-link',
  caller: 'anyone',
  tables: { Addresses: ['GetItem'], AppSessions: ['GetItem'], Proofs: ['PutItem'], Limits: countedMail },
  userPool: ['AdminGetUser'],
  needs: ['proofs', 'mail', 'site'],
  /** `purpose`: the act that the mail's link allows. `again`: although our mail may count as spam there. */
  body: z.strictObject({
    email: Address,
    purpose: z.enum(['reset', 'end-contract']),
    again: z.optional(z.boolean()),
  }),
  /** The same whether a mail went out or not. */
  response: z.object({ received: z.literal(true) }),
} as const satisfies Endpoint;
