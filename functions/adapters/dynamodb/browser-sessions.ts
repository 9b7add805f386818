import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BrowserSession } from '../../../schemas/rows/browser-session.ts';
import { conditionHolds, dynamodb } from './client.ts';

type Key = Pick<BrowserSession, 'user_id' | 'id'>;

/** The browsers in the table AppSessions, whose adapter lists and removes them too. */
export interface BrowserSessions {
  /** A strongly consistent read. */
  read(key: Key): Promise<BrowserSession | undefined>;
  /** Resolves with whether this call added the browser: of concurrent calls, one does. */
  add(browser: BrowserSession): Promise<boolean>;
  /** Writes a known browser again. Does nothing if it was removed meanwhile. */
  update(browser: BrowserSession): Promise<void>;
  /** Keeps the browser known. Does nothing if it has another session by now. */
  signOut(key: Key, session: string): Promise<void>;
  remove(key: Key): Promise<void>;
}

export function browserSessions(table: string): BrowserSessions {
  const of = ({ user_id, id }: Key) => ({ TableName: table, Key: { user_id, id } });
  return {
    async read(key) {
      const { Item } = await dynamodb.send(new GetCommand({ ...of(key), ConsistentRead: true }));
      return Item && BrowserSession.parse(Item);
    },

    add: (browser) =>
      conditionHolds(() =>
        dynamodb.send(
          new PutCommand({
            TableName: table,
            Item: browser,
            // The SDK repeats the request if an answer is lost. An expired item may still be there.
            ConditionExpression:
              'attribute_not_exists(id) OR (#session = :session AND used_at = :now) OR expires_at <= :seconds',
            ExpressionAttributeNames: { '#session': 'session' },
            ExpressionAttributeValues: {
              ':session': browser.session,
              ':now': browser.used_at,
              ':seconds': Math.floor(Date.parse(browser.used_at) / 1000),
            },
          }),
        ),
      ),

    async update(browser) {
      await conditionHolds(() =>
        dynamodb.send(
          new PutCommand({ TableName: table, Item: browser, ConditionExpression: 'attribute_exists(id)' }),
        ),
      );
    },

    async signOut(key, session) {
      await conditionHolds(() =>
        dynamodb.send(
          new UpdateCommand({
            ...of(key),
            UpdateExpression: 'REMOVE #session',
            ConditionExpression: '#session = :session',
            ExpressionAttributeNames: { '#session': 'session' },
            ExpressionAttributeValues: { ':session': session },
          }),
        ),
      );
    },

    async remove(key) {
      await dynamodb.send(new DeleteCommand(of(key)));
    },
  };
}
