import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { WaitlistEntry } from '../../../schemas/waitlist.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The Waitlist table. */
export interface WaitlistTable {
  /** False if the address is on the list already. The existing entry isn't changed. */
  add(entry: WaitlistEntry): Promise<boolean>;
  /** `email` is lower-case and trimmed. */
  entryOf(email: string): Promise<WaitlistEntry | undefined>;
}

export function waitlistTable(table: string): WaitlistTable {
  return {
    add(entry) {
      return conditionHolds(() =>
        dynamodb.send(
          new PutCommand({
            TableName: table,
            Item: entry,
            ConditionExpression: 'attribute_not_exists(email)',
          }),
        ),
      );
    },

    async entryOf(email) {
      const { Item } = await dynamodb.send(new GetCommand({ TableName: table, Key: { email } }));
      return Item && WaitlistEntry.parse(Item);
    },
  };
}
