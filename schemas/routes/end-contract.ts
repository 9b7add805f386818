import * as z from 'zod/mini';
import { EndContractResponse } from '../shapes/end-contract.ts';
import { ProofToken } from '../shapes/proof-token.ts';
import type { Endpoint } from './endpoint.ts';

/** Shows, cancels or withdraws from the contract of an account, for the holder of a link from our mail. */
export const endpoint = {
  method: 'POST',
  path: '/end-contract',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    Proofs: ['GetItem'],
    Addresses: ['GetItem'],
  },
  userPool: ['AdminGetUser'],
  needs: ['proofs', 'stripe', 'mail', 'site'],
  /** `token`: from the mail's link. `show` changes nothing. */
  body: z.strictObject({ token: ProofToken, action: z.enum(['show', 'cancel', 'withdraw']) }),
  response: EndContractResponse,
  refusals: ['link-invalid', 'no-active-subscription', 'already-cancelled', 'withdrawal-over'],
} as const satisfies Endpoint;
