import { EndContractRequest, EndContractResponse } from '../shapes/end-contract.ts';
import type { Endpoint } from './endpoint.ts';

/** Shows, cancels or withdraws from the contract of an account, for the holder of a link from our mail. */
export const endpoint = {
  method: 'POST',
  path: '/end-contract',
  caller: 'anyone',
  tables: {
    UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
    StripeWork: ['UpdateItem'],
    AddressChanges: ['GetItem'],
  },
  userPool: ['AdminGetUser'],
  needs: ['stripe', 'mail', 'site'],
  body: EndContractRequest,
  response: EndContractResponse,
  status: 200,
  refusals: ['contract-link-invalid', 'no-active-subscription', 'already-cancelled', 'withdrawal-over'],
  // A token can't be guessed. This limit keeps a script from causing endless reads.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
