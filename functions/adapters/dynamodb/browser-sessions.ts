import { BrowserSession } from '../../../schemas/rows/browser-session.ts';
import { ex, put, read, remove, update } from './client.ts';

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

const keyOf = ({ user_id, id }: Key) => ({ user_id, id });

export function browserSessions(table: string): BrowserSessions {
  return {
    read: (key) => read(table, keyOf(key), BrowserSession),

    add({ session, used_at, ...browser }) {
      const seconds = Math.floor(Date.parse(used_at) / 1000);
      // The SDK repeats the request if an answer is lost. An expired item may still be there.
      const isNew = ex`attribute_not_exists(id) OR (#session = ${session} AND used_at = ${used_at}) OR expires_at <= ${seconds}`;
      return put(table, { ...browser, session, used_at }, isNew);
    },

    async update(browser) {
      await put(table, browser, ex`attribute_exists(id)`);
    },

    async signOut(key, session) {
      await update(table, keyOf(key), ex`REMOVE #session`, ex`#session = ${session}`);
    },

    async remove(key) {
      await remove(table, keyOf(key));
    },
  };
}
