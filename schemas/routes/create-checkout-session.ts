import * as z from 'zod/mini';
import { intervals } from '../product/offers.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** Opens a checkout for Plus. The client secret is for Stripe's embedded checkout. */
export const endpoint = {
  method: 'POST',
  path: '/create-checkout-session',
  caller: 'bearer',
  notesSession: true,
  tables: { ...sessionTables, UserPlans: ['GetItem', 'PutItem', 'UpdateItem'], StripeWork: ['UpdateItem'] },
  needs: ['stripe', 'mail', 'site', 'tax'],
  body: z.strictObject({
    planName: z.string().check(z.maxLength(50)),
    /** The plan's first offer without it. */
    interval: z.optional(z.enum(intervals)),
    userId: z.string().check(z.maxLength(128)),
    userEmail: z.string().check(z.maxLength(254)),
  }),
  response: z.object({ clientSecret: z.string() }),
  refusals: [
    'unknown-plan',
    'not-yours',
    'already-subscribed',
    'renew-instead',
    'payment-processing',
    'account-closing',
  ],
} as const satisfies Endpoint;
