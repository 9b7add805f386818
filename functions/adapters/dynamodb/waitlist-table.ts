import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { WaitlistEntry } from '../../../schemas/waitlist.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The Waitlist table. */
export interface WaitlistTable {
  /** False if the address is on the list already. The existing entry isn't changed. */
  add(entry: WaitlistEntry): Promise<boolean>;
  /** `email` is lower-case and trimmed. */
  entryOf(email: string): Promise<WaitlistEntry | undefined>;
  /**
   * Gives the entry of an address to another address, if there is one. An entry that the other address has
   * already stays, and takes its place. Several requests; safe to repeat.
   */
  move(from: string, to: string): Promise<void>;
}

export function waitlistTable(table: string): WaitlistTable {
  const add: WaitlistTable['add'] = (entry) =>
    conditionHolds(() =>
      dynamodb.send(
        new PutCommand({
          TableName: table,
          Item: entry,
          ConditionExpression: 'attribute_not_exists(email)',
        }),
      ),
    );

  const entryOf: WaitlistTable['entryOf'] = async (email) => {
    const { Item } = await dynamodb.send(new GetCommand({ TableName: table, Key: { email } }));
    return Item && WaitlistEntry.parse(Item);
  };

  return {
    add,
    entryOf,

    async move(from, to) {
      const entry = await entryOf(from);
      if (!entry) return;
      await add({ ...entry, email: to });
      await dynamodb.send(new DeleteCommand({ TableName: table, Key: { email: from } }));
    },
  };
}
