import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/rows/plan.ts';
import { dynamodb } from './client.ts';

/** The catch-up's position in Stripe's events. */
export interface CursorPosition {
  /** Events that were created earlier are handled. */
  from: Date;
  /** An unfinished walk over all customers, in place of events that Stripe no longer lists. */
  walk?: CustomerWalk;
}

export interface CustomerWalk {
  beganAt: Date;
  /** The start of the next page: `next` of the last finished page. Absent before the first page. */
  after?: string | undefined;
}

/** The catch-up's position, kept in an item of the StripeWork table. */
export interface EventCursor {
  /** Undefined until the first catch-up has handled events. */
  read(): Promise<CursorPosition | undefined>;
  move(to: CursorPosition): Promise<void>;
}

const KEY = { kind: 'cursor', id: 'stripe-events' };

const CursorItem = z.object({
  read_from: Timestamp,
  walk_began_at: z.optional(Timestamp),
  walk_after: z.optional(z.string()),
});

export function eventCursor(table: string): EventCursor {
  return {
    async read() {
      const { Item } = await dynamodb.send(
        new GetCommand({ TableName: table, Key: KEY, ConsistentRead: true }),
      );
      if (!Item) return undefined;
      const { read_from, walk_began_at, walk_after } = CursorItem.parse(Item);
      return {
        from: new Date(read_from),
        ...(walk_began_at && { walk: { beganAt: new Date(walk_began_at), after: walk_after } }),
      };
    },
    async move({ from, walk }) {
      const item: z.infer<typeof CursorItem> = {
        read_from: from.toISOString(),
        ...(walk && { walk_began_at: walk.beganAt.toISOString() }),
        ...(walk?.after !== undefined && { walk_after: walk.after }),
      };
      await dynamodb.send(new PutCommand({ TableName: table, Item: { ...KEY, ...item } }));
    },
  };
}
