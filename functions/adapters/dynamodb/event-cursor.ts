import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from './client.ts';

// Never a user's id: those are UUIDs.
const CURSOR_ID = 'stripe-event-cursor';

/** How far Stripe's event list has been read. Kept in a row of the UserPlans table. */
export interface EventCursor {
  /** Undefined until the first catch-up has succeeded. */
  read(): Promise<Date | undefined>;
  move(to: Date): Promise<void>;
}

export function eventCursor(table: string): EventCursor {
  return {
    async read() {
      const { Item } = await dynamodb.send(new GetCommand({ TableName: table, Key: { id: CURSOR_ID } }));
      return Item && new Date(String(Item['read_until']));
    },
    async move(to) {
      await dynamodb.send(
        new PutCommand({ TableName: table, Item: { id: CURSOR_ID, read_until: to.toISOString() } }),
      );
    },
  };
}
