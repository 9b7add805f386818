import { createClient } from '../api/client.ts';
import { persistentStorage } from '../session/browser-storage.ts';
import { storeIfPossible } from '../session/store-if-possible.ts';

const KEY = 'session-noted';
// Milliseconds.
const DAY = 86_400_000;

/**
 * Tells our API, after a sign-in and then once a day, that this browser is in use. The sign-out clears the
 * note of it, so the next sign-in is told too.
 */
export async function noteSession(connection: Parameters<typeof createClient>[0]): Promise<void> {
  const storage = persistentStorage();
  if (Date.now() - Number(storage?.getItem(KEY)) < DAY) return;
  // Before the answer, since other tabs may begin at the same time.
  storeIfPossible(storage, KEY, String(Date.now()));
  const answer = await createClient(connection)('sessions', { body: {} });
  if (!answer.ok) storage?.removeItem(KEY);
}
