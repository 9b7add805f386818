import * as z from 'zod/mini';
import { SessionStatus, StripeId } from '../shapes/checkout.ts';
import type { Endpoint } from './endpoint.ts';

/** The state of a checkout that the caller opened. */
export const endpoint = {
  method: 'GET',
  path: '/session-status',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe'],
  query: z.strictObject({ session_id: StripeId }),
  response: SessionStatus,
  refusals: ['not-found'],
} as const satisfies Endpoint;
