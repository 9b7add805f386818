import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppSession } from '../../../schemas/rows/app-session.ts';
import { BROWSER_KEY, BrowserSession } from '../../../schemas/rows/browser-session.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The key of a session. */
export type AppSessionKey = Pick<AppSession, 'user_id' | 'id'>;

/** The sessions of a user, without those that have expired. */
export interface Sessions {
  apps: AppSession[];
  browsers: BrowserSession[];
}

/** The AppSessions table: the sessions that apps have from codes, and the browsers of users. */
export interface AppSessionsTable {
  add(session: AppSession): Promise<void>;
  /** A strongly consistent read. */
  read(key: AppSessionKey): Promise<AppSession | undefined>;
  /**
   * Notes a refresh with the token of this number and hash. False, and nothing changes, if a token of that
   * number was used before or the session is over.
   */
  countRefresh(key: AppSessionKey, token: { refreshes: number; hash: string }, now: Date): Promise<boolean>;
  /** Resolves with the session that this call ended; undefined if it was over. */
  remove(key: AppSessionKey): Promise<AppSession | undefined>;
  of(userId: string, now: Date): Promise<Sessions>;
  /** Removes apps and browsers. */
  removeAll(userId: string): Promise<void>;
}

const isBrowser = ({ id }: AppSessionKey): boolean => id.startsWith(BROWSER_KEY);

export function appSessionsTable(table: string): AppSessionsTable {
  const keyOf = ({ user_id, id }: AppSessionKey) => ({ TableName: table, Key: { user_id, id } });

  /** One page, 1 MB, is thousands of sessions. */
  const query = async (userId: string) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'user_id = :user',
        ExpressionAttributeValues: { ':user': userId },
        ConsistentRead: true,
      }),
    );
    return Items as (AppSessionKey & { expires_at: number })[];
  };

  return {
    async add(session) {
      await dynamodb.send(new PutCommand({ TableName: table, Item: session }));
    },

    async read(key) {
      const { Item } = await dynamodb.send(new GetCommand({ ...keyOf(key), ConsistentRead: true }));
      return Item && AppSession.parse(Item);
    },

    countRefresh: (key, { refreshes, hash }, now) =>
      conditionHolds(() =>
        dynamodb.send(
          new UpdateCommand({
            ...keyOf(key),
            UpdateExpression: 'SET refreshes = :next, used_token = :hash, used_at = :now',
            ConditionExpression: 'refreshes <= :shown',
            ExpressionAttributeValues: {
              ':shown': refreshes,
              ':next': refreshes + 1,
              ':hash': hash,
              ':now': now.toISOString(),
            },
          }),
        ),
      ),

    async remove(key) {
      const { Attributes } = await dynamodb.send(
        new DeleteCommand({ ...keyOf(key), ReturnValues: 'ALL_OLD' }),
      );
      return Attributes && AppSession.parse(Attributes);
    },

    async of(userId, now) {
      const items = (await query(userId)).filter(({ expires_at }) => expires_at * 1000 > now.getTime());
      return {
        apps: items.filter((item) => !isBrowser(item)).map((item) => AppSession.parse(item)),
        browsers: items.filter(isBrowser).map((item) => BrowserSession.parse(item)),
      };
    },

    async removeAll(userId) {
      await Promise.all((await query(userId)).map((key) => dynamodb.send(new DeleteCommand(keyOf(key)))));
    },
  };
}
