import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { put, read } from './client.ts';

/** The catch-up's position in Stripe's events: earlier ones are handled. An item of the StripeWork table. */
export interface EventCursor {
  /** Undefined until the first catch-up has handled events. */
  read(): Promise<Date | undefined>;
  move(to: Date): Promise<void>;
}

const KEY = { kind: 'cursor', id: 'stripe-events' };

const CursorItem = z.object({ read_from: Timestamp });

export function eventCursor(table: string): EventCursor {
  return {
    async read() {
      const item = await read(table, KEY, CursorItem);
      return item && new Date(item.read_from);
    },
    async move(to) {
      const item: z.infer<typeof CursorItem> = { read_from: to.toISOString() };
      await put(table, { ...KEY, ...item });
    },
  };
}
