import { AppSession, BROWSER_KEY, BrowserSession } from '../../../schemas/rows/app-session.ts';
import { ex, put, query, read, remove, update } from './client.ts';

type AppSessionKey = Pick<AppSession, 'user_id' | 'id'>;

const isBrowser = ({ id }: AppSessionKey): boolean => id.startsWith(BROWSER_KEY);

const keyOf = ({ user_id, id }: AppSessionKey) => ({ user_id, id });

/** The AppSessions table: the sessions that apps have from codes, and the browsers of users. */
export function appSessionsTable(table: string) {
  const all = async (userId: string) => {
    const items: Record<string, unknown>[] = [];
    for await (const page of query(table, ex`user_id = ${userId}`)) items.push(...page);
    return items as (AppSessionKey & { expires_at: number })[];
  };

  return {
    async add(session: AppSession) {
      await put(table, session);
    },

    read: (key: AppSessionKey) => read(table, keyOf(key), AppSession),

    /** Notes a refresh. False, and nothing changes, if the number was used before or the session is over. */
    countRefresh: (key: AppSessionKey, { refreshes, hash }: { refreshes: number; hash: string }, now: Date) =>
      update(
        table,
        keyOf(key),
        ex`SET refreshes = ${refreshes + 1}, used_token = ${hash}, used_at = ${now.toISOString()}`,
        ex`refreshes <= ${refreshes}`,
      ),

    /** Resolves with the session that this call ended; undefined if it was over. */
    async remove(key: AppSessionKey) {
      const removed = await remove(table, keyOf(key));
      return removed && AppSession.parse(removed);
    },

    /** The sessions of a user, without those that have expired. */
    async of(userId: string, now: Date) {
      const items = (await all(userId)).filter(({ expires_at }) => expires_at * 1000 > now.getTime());
      return {
        apps: items.filter((item) => !isBrowser(item)).map((item) => AppSession.parse(item)),
        browsers: items.filter(isBrowser).map((item) => BrowserSession.parse(item)),
      };
    },

    /** Removes apps and browsers, but for the item with the id `keeps`. */
    async removeAll(userId: string, keeps?: string) {
      const removed = (await all(userId)).filter(({ id }) => id !== keeps);
      await Promise.all(removed.map((key) => remove(table, keyOf(key))));
    },
  };
}
export type AppSessionsTable = ReturnType<typeof appSessionsTable>;
export type Sessions = Awaited<ReturnType<AppSessionsTable['of']>>;

/** The browsers in the same table. */
export const browserSessions = (table: string) => ({
  read: (key: AppSessionKey) => read(table, keyOf(key), BrowserSession),

  /** Resolves with whether this call added the browser: of concurrent calls, one does. */
  add({ session, used_at, ...browser }: BrowserSession) {
    const seconds = Math.floor(Date.parse(used_at) / 1000);
    // The SDK repeats the request if an answer is lost. An expired item may still be there.
    const isNew = ex`attribute_not_exists(id) OR (#session = ${session} AND used_at = ${used_at}) OR expires_at <= ${seconds}`;
    return put(table, { ...browser, session, used_at }, isNew);
  },

  /** Writes a known browser again. Does nothing if it was removed meanwhile. */
  async update(browser: BrowserSession) {
    await put(table, browser, ex`attribute_exists(id)`);
  },

  /** Keeps the browser known. Does nothing if it has another session by now. */
  async signOut(key: AppSessionKey, session: string) {
    await update(table, keyOf(key), ex`REMOVE #session`, ex`#session = ${session}`);
  },

  async remove(key: AppSessionKey) {
    await remove(table, keyOf(key));
  },
});
