import * as z from 'zod/mini';
import { PortalPage } from '../shapes/billing.ts';
import type { Endpoint } from './endpoint.ts';

/** Opens a page of Stripe's customer portal: for changing the card, or what invoices say. */
export const endpoint = {
  method: 'POST',
  path: '/billing-portal',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem'] },
  needs: ['stripe', 'site'],
  body: z.strictObject({ page: PortalPage }),
  /** Address of the page. Anyone with the address has access, for a few minutes. */
  response: z.object({ url: z.url() }),
  refusals: ['no-active-subscription'],
  // Each call sends Stripe up to five requests; see `export`.
  throttle: { rate: 20, burst: 50 },
} as const satisfies Endpoint;
