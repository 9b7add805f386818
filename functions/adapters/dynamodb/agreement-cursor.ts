import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { put, read } from './client.ts';

const KEY = { kind: 'cursor', id: 'plan-agreement' };

const Pass = z.object({
  began: Timestamp,
  /** The compared side: the rows on Plus by payment, then Stripe's running subscriptions. */
  phase: z.enum(['rows', 'subscriptions', 'done']),
  /** The last compared row or subscription. Absent at the beginning of a phase. */
  after: z.optional(z.string()),
  /** Users whose row and Stripe have disagreed in this pass. */
  disagree: z.number(),
});
/** How far a comparison of all plans has come. */
export type Pass = z.infer<typeof Pass>;

/** The pass that has begun last. An item of the StripeWork table. */
export const agreementCursor = (table: string) => ({
  read: () => read(table, KEY, Pass),
  write: (pass: Pass) => put(table, { ...KEY, ...pass }),
});
export type AgreementCursor = ReturnType<typeof agreementCursor>;
