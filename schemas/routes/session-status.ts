import * as z from 'zod/mini';
import { SessionStatus, StripeId } from '../checkout.ts';
import type { Endpoint } from '../endpoint.ts';

/** The state of a checkout that the caller has opened. */
export const endpoint = {
  method: 'GET',
  path: '/session-status',
  caller: 'bearer',
  endedSession: 'accepted',
  needs: ['writePlans', 'stripe', 'leaveTasks'],
  query: z.strictObject({ session_id: StripeId }),
  response: SessionStatus,
  status: 200,
  refusals: ['not-found'],
} as const satisfies Endpoint;
