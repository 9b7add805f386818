import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { put, read } from './client.ts';

const KEY = { kind: 'cursor', id: 'stripe-events' };

const CursorItem = z.object({ read_from: Timestamp });

/** The catch-up's position in Stripe's events: earlier ones are handled. An item of the StripeWork table. */
export const eventCursor = (table: string) => ({
  /** Undefined until the first catch-up has handled events. */
  async read() {
    const item = await read(table, KEY, CursorItem);
    return item && new Date(item.read_from);
  },

  async move(to: Date) {
    const item: z.infer<typeof CursorItem> = { read_from: to.toISOString() };
    await put(table, { ...KEY, ...item });
  },
});
export type EventCursor = ReturnType<typeof eventCursor>;
