import { CancelRequest, CancelResponse } from '../checkout.ts';
import type { Endpoint } from '../endpoint.ts';

/** Cancels Plus at the end of the paid period. */
export const endpoint = {
  method: 'POST',
  path: '/cancel-subscription',
  caller: 'bearer',
  needs: ['writePlans', 'stripe', 'leaveTasks'],
  body: CancelRequest,
  response: CancelResponse,
  status: 200,
  refusals: ['no-active-subscription', 'already-cancelled'],
} as const satisfies Endpoint;
