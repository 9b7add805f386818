import { BillingOverview } from '../shapes/billing.ts';
import type { Endpoint } from './endpoint.ts';

/** The caller's subscription and invoices. */
export const endpoint = {
  method: 'GET',
  path: '/billing',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem'] },
  needs: ['stripe'],
  response: BillingOverview,
  status: 200,
  refusals: [],
  // Each call sends Stripe up to four requests; see `export`.
  throttle: { rate: 10, burst: 50 },
} as const satisfies Endpoint;
