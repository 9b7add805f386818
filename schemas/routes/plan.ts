import type { Endpoint } from './endpoint.ts';
import { Plan } from '../rows/plan.ts';

// Seconds. An app also reads the plan as it starts and as it returns to the front, such as after a purchase.
const PAUSE = 900;
const SHORTEST_PAUSE = 60;

/** Seconds after which an app reads the plan again: a quarter of an hour, or as soon as Plus ends. */
export function maxAge({ planExpiresAt }: Plan, now: Date): number {
  if (planExpiresAt === null) return PAUSE;
  const untilEnd = Math.ceil((Date.parse(planExpiresAt) - now.getTime()) / 1000);
  return Math.min(PAUSE, Math.max(SHORTEST_PAUSE, untilEnd));
}

/** The caller's plan. Also accepts access tokens of other apps. */
export const endpoint = {
  method: 'GET',
  path: '/plan',
  caller: 'bearer',
  appToken: 'accepted',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe'],
  response: Plan,
  maxAge,
  // Room for 1,800,000 open apps. The firewall limits each session.
  throttle: { rate: 2_000, burst: 4_000 },
} as const satisfies Endpoint;
