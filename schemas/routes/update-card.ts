import * as z from 'zod/mini';
import { UpdateCardResponse } from '../shapes/billing.ts';
import type { Endpoint } from './endpoint.ts';

/** Opens Stripe's page for changing the card. */
export const endpoint = {
  method: 'POST',
  path: '/update-card',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem'] },
  needs: ['stripe', 'site'],
  body: z.strictObject({}),
  response: UpdateCardResponse,
  status: 200,
  refusals: ['no-active-subscription'],
  // Each call sends Stripe up to five requests; see `export`.
  throttle: { rate: 10, burst: 50 },
} as const satisfies Endpoint;
