import { call } from '../api/call.ts';
import { persistentStorage } from '../session/browser-storage.ts';
import { signOutAndLeave } from '../session/sign-out.ts';
import { storeIfPossible } from '../session/store-if-possible.ts';

const KEY = 'session-noted';
// Milliseconds.
const DAY = 86_400_000;
// Milliseconds that a sign-out waits for our API.
const PATIENCE = 2_000;

/**
 * Tells our API, after a sign-in and then once a day, that this browser is in use. The sign-out clears the
 * note of it, so the next sign-in is told too.
 */
export async function noteSession(): Promise<void> {
  const storage = persistentStorage();
  if (Date.now() - Number(storage?.getItem(KEY)) < DAY) return;
  // Before the answer, since other tabs may begin at the same time.
  storeIfPossible(storage, KEY, String(Date.now()));
  const answer = await call('sessions', { body: {} });
  if (!answer.ok) storage?.removeItem(KEY);
}

/**
 * Signs out as `signOutAndLeave` does, and tells our API before. If that fails, the browser stays in the list of
 * sessions.
 */
export async function signOutHere(from: string | null): Promise<void> {
  await Promise.race([
    call('end-session', { body: { session: 'this' } }),
    new Promise((resolve) => {
      setTimeout(resolve, PATIENCE);
    }),
  ]);
  await signOutAndLeave(from);
}
