import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Timestamp } from '../../../schemas/plan.ts';
import { dynamodb } from './client.ts';

const KEY = { kind: 'cursor', id: 'stripe-events' };

const CursorItem = z.object({ read_until: Timestamp });

/** How far Stripe's event list has been read. Kept in an item of the StripeWork table. */
export interface EventCursor {
  /** Undefined until the first catch-up has succeeded. */
  read(): Promise<Date | undefined>;
  move(to: Date): Promise<void>;
}

export function eventCursor(table: string): EventCursor {
  return {
    async read() {
      const { Item } = await dynamodb.send(new GetCommand({ TableName: table, Key: KEY }));
      return Item && new Date(CursorItem.parse(Item).read_until);
    },
    async move(to) {
      const item: z.infer<typeof CursorItem> = { read_until: to.toISOString() };
      await dynamodb.send(new PutCommand({ TableName: table, Item: { ...KEY, ...item } }));
    },
  };
}
