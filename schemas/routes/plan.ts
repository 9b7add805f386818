import type { Endpoint } from './endpoint.ts';
import { Plan } from '../rows/plan.ts';

// Seconds. A user who has just bought Plus waits for it in the app.
const ON_FREE = 60;
// Seconds. Nobody waits for the end of Plus.
const ON_PLUS = 900;

/**
 * Seconds after which an app reads the plan again: on Free a minute, on Plus a quarter of an hour, or as soon
 * as Plus ends.
 */
export function maxAge({ plan, planExpiresAt }: Plan, now: Date): number {
  if (plan === 'free') return ON_FREE;
  if (planExpiresAt === null) return ON_PLUS;
  const untilEnd = Math.ceil((Date.parse(planExpiresAt) - now.getTime()) / 1000);
  return Math.min(ON_PLUS, Math.max(ON_FREE, untilEnd));
}

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
  maxAge,
  status: 200,
  refusals: [],
  // Room for 120,000 open apps of users on Free. The firewall limits each session.
  throttle: { rate: 2_000, burst: 4_000 },
} as const satisfies Endpoint;
