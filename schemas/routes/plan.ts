import type { Endpoint } from '../endpoint.ts';
import { Plan } from '../plan.ts';

/** The caller's plan. Also answers tokens of other apps. */
export const endpoint = {
  method: 'GET',
  path: '/plan',
  caller: 'bearer',
  endedSession: 'accepted',
  appToken: 'accepted',
  needs: ['writePlans', 'stripe', 'leaveTasks'],
  response: Plan,
  status: 200,
  refusals: [],
} as const satisfies Endpoint;
