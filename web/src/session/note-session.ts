import { createClient } from '../api/client.ts';
import { persistentStorage } from './browser-storage.ts';
import { currentSession, type Session } from './session.ts';
import { storeIfPossible } from './store-if-possible.ts';

const KEY = 'session-noted';
// Milliseconds.
const DAY = 86_400_000;
// Milliseconds. The dashboard opens within seconds of a sign-in.
const FRESH = 60_000;

const send = (connection: Parameters<typeof createClient>[0]) =>
  createClient(connection)('sessions', { body: {} });

let noted: { session: Session; at: number; answer: ReturnType<typeof send> } | undefined;

/** The answer to this session's note of the last minute, once: the dashboard doesn't ask again. */
export async function takeNotedSession(): Promise<Awaited<ReturnType<typeof send>> | undefined> {
  const latest = noted;
  noted = undefined;
  const isFresh = latest?.session === currentSession() && Date.now() - latest.at < FRESH;
  return isFresh ? latest.answer : undefined;
}

/**
 * Tells our API, after a sign-in and then once a day, that this browser is in use. The sign-out clears the
 * note of it, so the next sign-in is told too.
 */
export async function noteSession(connection: Parameters<typeof createClient>[0]): Promise<void> {
  const storage = persistentStorage();
  if (Date.now() - Number(storage?.getItem(KEY)) < DAY) return;
  // Before the answer, since other tabs may begin at the same time.
  storeIfPossible(storage, KEY, String(Date.now()));
  const answer = send(connection);
  noted = { session: currentSession(), at: Date.now(), answer };
  if (!(await answer).ok) storage?.removeItem(KEY);
}
