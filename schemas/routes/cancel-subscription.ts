import * as z from 'zod/mini';
import { StripeId } from '../shapes/checkout.ts';
import type { Endpoint } from './endpoint.ts';

/** Cancels Plus at the end of the paid period. */
export const endpoint = {
  method: 'POST',
  path: '/cancel-subscription',
  caller: 'bearer',
  tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe', 'mail', 'site'],
  /** Null for a complimentary plan, which has no Stripe subscription. */
  body: z.strictObject({ subscription_id: z.nullable(StripeId) }),
  response: z.object({
    success: z.literal(true),
    /** End of Plus, in Unix seconds. */
    current_period_end: z.number(),
    /** Present if Plus has ended already, because a payment was due and the paid period was over. */
    ended: z.optional(z.literal(true)),
  }),
  refusals: ['no-active-subscription', 'already-cancelled'],
} as const satisfies Endpoint;
