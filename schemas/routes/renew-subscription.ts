import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { Plan } from '../rows/plan.ts';

/** Undoes a cancellation. Nothing is charged before the next period. */
export const endpoint = {
  method: 'POST',
  path: '/renew-subscription',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe'],
  body: z.strictObject({}),
  response: Plan,
  refusals: ['nothing-to-renew'],
} as const satisfies Endpoint;
