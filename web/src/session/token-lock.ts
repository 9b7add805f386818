import { persistentStorage } from './browser-storage.ts';

// Milliseconds to wait for another tab. Web Locks have no limit of their own.
const LIMIT = 15_000;

let lastUnlockedWork: Promise<unknown> = Promise.resolve();

/**
 * Runs work on the tokens in one tab at a time, since they may rotate. Rejects with a TimeoutError if another
 * tab keeps the lock. The lock is not reentrant. Signing out doesn't take it, so it never waits.
 */
export function withTokenLock<T>(work: () => Promise<T>, limit = LIMIT): Promise<T> {
  if (persistentStorage()) {
    return navigator.locks.request('session', { signal: AbortSignal.timeout(limit) }, work);
  }
  // A browser that forbids storage forbids locks too. Its tabs share no tokens, so a queue is enough.
  const done = lastUnlockedWork.then(work);
  lastUnlockedWork = done.catch(() => undefined);
  return done;
}
