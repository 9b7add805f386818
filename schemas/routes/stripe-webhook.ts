import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

export const endpoint = {
  method: 'POST',
  path: '/stripe/webhook',
  caller: 'stripe',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], StripeWork: ['UpdateItem'] },
  userPool: ['AdminGetUser', 'ListUsers'],
  needs: ['stripe', 'mail', 'site'],
  response: z.object({ received: z.literal(true) }),
  refusals: ['bad-signature'],
  // Stripe states no limit for an event; an invoice with many lines exceeds 64 KiB.
  maximumBody: 256 * 1024,
} as const satisfies Endpoint;
