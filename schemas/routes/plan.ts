import type { Endpoint } from './endpoint.ts';
import { Plan } from '../rows/plan.ts';

/** The caller's plan. Also accepts access tokens of other apps. */
export const endpoint = {
  method: 'GET',
  path: '/plan',
  caller: 'bearer',
  endedSession: 'accepted',
  appToken: 'accepted',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe'],
  response: Plan,
  status: 200,
  refusals: [],
} as const satisfies Endpoint;
