import { BillingResponse } from '../shapes/billing.ts';
import type { Endpoint } from './endpoint.ts';

/** The caller's subscription and invoices. */
export const endpoint = {
  method: 'GET',
  path: '/billing',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem'] },
  needs: ['stripe'],
  response: BillingResponse,
  // For a user who has begun a purchase, each call sends Stripe up to four requests; see `export`.
  throttle: { rate: 50, burst: 100 },
} as const satisfies Endpoint;
