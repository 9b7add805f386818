import { EndContractRequest, EndContractResponse } from '../shapes/end-contract.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

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
  body: EndContractRequest,
  response: EndContractResponse,
  status: 200,
  refusals: ['link-invalid', 'no-active-subscription', 'already-cancelled', 'withdrawal-over'],
  throttle: openThrottle,
} as const satisfies Endpoint;
