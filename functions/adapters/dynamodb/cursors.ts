import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { put, read } from './client.ts';

const EVENTS = { kind: 'cursor', id: 'stripe-events' };
const PASS = { kind: 'cursor', id: 'plan-agreement' };

const CursorItem = z.object({ read_from: Timestamp });

/** The catch-up's position in Stripe's events: earlier ones are handled. An item of the StripeWork table. */
export const eventCursor = (table: string) => ({
  /** Undefined until the first catch-up has handled events. */
  async read() {
    const item = await read(table, EVENTS, CursorItem);
    return item && new Date(item.read_from);
  },

  async move(to: Date) {
    const item: z.infer<typeof CursorItem> = { read_from: to.toISOString() };
    await put(table, { ...EVENTS, ...item });
  },
});
export type EventCursor = ReturnType<typeof eventCursor>;

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
  read: () => read(table, PASS, Pass),
  write: (pass: Pass) => put(table, { ...PASS, ...pass }),
});
export type AgreementCursor = ReturnType<typeof agreementCursor>;
