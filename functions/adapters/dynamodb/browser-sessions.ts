import { BrowserSession } from '../../../schemas/rows/browser-session.ts';
import { type AppSessionKey, keyOf } from './app-sessions-table.ts';
import { ex, put, read, remove, update } from './client.ts';

/** The browsers in the table AppSessions, whose adapter lists and removes them too. */
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
