import type { AccessToken } from './access-token.ts';
import { clearWithoutSession } from './clear-storage.ts';
import { clearStorage } from './clear-session.ts';
import { currentSession, setSession } from './session.ts';
import { renewTokens } from './renew-tokens.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { sessionEndOf } from './session-end.ts';
import { noticeOfEnd, type SignInNotice } from './sign-in-notice.ts';
import { setSignInNotice } from './use-sign-in-notice.ts';
import { withTokenLock } from './token-lock.ts';
import { type RefreshResult, REFRESH_MARGIN, startTokenRefresh, type TokenRefresh } from './token-refresh.ts';
import {
  configureAmplify,
  readTokens,
  remainingLife,
  replaceTokens,
  storedTokens,
  type StoredTokens,
  storeTokens,
  userOf,
} from './tokens.ts';

// A token with fewer milliseconds left could expire on its way to the server.
const SHORTEST_LIFE = 5_000;

let tokenRefresh: TokenRefresh | undefined;
// Aborted when the user leaves this page by a sign-out.
let leaving = new AbortController();

/** Sets the session from the stored tokens, and refreshes them first if they have expired. */
export async function restore(): Promise<void> {
  const left = leaving.signal;
  let tokens: StoredTokens | null;
  try {
    await configureAmplify();
    tokens = await readTokens();
  } catch {
    return setSession({ kind: 'unreachable' });
  }
  if (!tokens) return endSession();
  // If Cognito can't be reached, the session continues, and the refresh is retried.
  const refreshed = remainingLife(tokens) < SHORTEST_LIFE ? await refresh() : 'refreshed';
  if (typeof refreshed === 'object') return endSession(refreshed.ended);
  // The user may have signed out meanwhile. A session would clear the notice for the next page.
  if (!left.aborted) await beginSession();
}

/** Without the note, the browser is only missing in the list of sessions. */
async function noteSession(): Promise<void> {
  try {
    // Another call signs out if the API refuses the session.
    const bearer = { accessToken, renewedToken };
    await (await import('./note-session.ts')).noteSession({ fetch: fetchUntilLeft, bearer });
  } catch {
    // The next page tries again.
  }
}

/** Sets the session from the stored tokens, and keeps the tokens fresh. */
export async function beginSession(): Promise<void> {
  const tokens = await readTokens();
  const user = tokens && userOf(tokens);
  if (!user) return endSession();
  if (leaving.signal.aborted) leaving = new AbortController();
  setSession({ kind: 'signed-in', user });
  void noteSession();
  tokenRefresh?.stop();
  tokenRefresh = startTokenRefresh({
    remaining: async () => {
      const stored = await readTokens();
      return stored && remainingLife(stored);
    },
    refresh: () => refresh(),
    onEnded: endSession,
  });
}

/** Clears the storage and sets the session to signed out. The sign-in page says why, once. */
export function endSession(notice: SignInNotice = 'unknown'): void {
  if (leaving.signal.aborted) return;
  stopTokenRefresh();
  if (currentSession().kind === 'signed-in') clearStorage();
  else clearWithoutSession();
  if (currentSession().kind === 'signed-out') return;
  setSignInNotice(noticeOfEnd(notice));
  setSession({ kind: 'signed-out' });
}

export function stopTokenRefresh(): void {
  tokenRefresh?.stop();
  tokenRefresh = undefined;
}

/** Keeps the page until the next one loads. Its calls must not clear the data that the next one needs. */
export function leaveSession(): void {
  stopTokenRefresh();
  leaving.abort();
}

/** Ends the session of a page that was about to be left, and stays. */
export function stayAfterAll(notice: SignInNotice): void {
  leaving = new AbortController();
  endSession(notice);
}

/** The browser's `fetch`, for a page that stays. When the user leaves, it aborts and never settles. */
export async function fetchUntilLeft(url: string, init: RequestInit): Promise<Response> {
  const left = leaving.signal;
  // AbortSignal.any is missing from some browsers still in use.
  const either = new AbortController();
  for (const signal of [init.signal, left]) {
    const giveUp = () => either.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  }
  try {
    return await fetch(url, { ...init, signal: either.signal });
  } catch (error) {
    if (left.aborted) return new Promise(() => {});
    throw error;
  }
}

// Timers don't run while a laptop sleeps.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') tokenRefresh?.check();
});
addEventListener('online', () => {
  if (currentSession().kind === 'unreachable') restore().catch(() => {});
  else tokenRefresh?.check();
});

/** `rejected`: an access token that the API refused, although it has not expired. */
async function refresh(rejected?: string): Promise<RefreshResult> {
  try {
    return await withTokenLock(async () => {
      const before = await storedTokens();
      if (!before) return { ended: 'unknown' };
      // Another tab may have refreshed while this tab waited for the lock.
      if (before.accessToken.toString() !== rejected && remainingLife(before) > REFRESH_MARGIN) {
        return 'refreshed';
      }
      const isStored = await replaceTokens(before, await renewTokens(before));
      return isStored ? 'refreshed' : { ended: 'unknown' };
    });
  } catch (error) {
    const ended = sessionEndOf(error);
    return ended === null ? 'failed' : { ended };
  }
}

/** Never resolves in a page that the user is leaving. */
export async function accessToken(): Promise<AccessToken> {
  if (leaving.signal.aborted) return new Promise(() => {});
  if (currentSession().kind !== 'signed-in') return { kind: 'none' };
  const tokens = await storedTokens();
  if (tokens && remainingLife(tokens) > SHORTEST_LIFE) {
    return { kind: 'token', token: tokens.accessToken.toString() };
  }
  return renewedToken();
}

/** A token other than `rejected`. Ends the session if Cognito refuses to refresh. */
export async function renewedToken(rejected?: string): Promise<AccessToken> {
  if (leaving.signal.aborted) return new Promise(() => {});
  const refreshed = await refresh(rejected);
  if (refreshed === 'failed') return { kind: 'unreachable' };
  const tokens = refreshed === 'refreshed' ? await storedTokens() : null;
  if (tokens) return { kind: 'token', token: tokens.accessToken.toString() };
  endSession(typeof refreshed === 'object' ? refreshed.ended : 'unknown');
  return { kind: 'none' };
}

/** Begins a session with new tokens, in place of any other session. */
export async function replaceSession(tokens: StoredTokens): Promise<void> {
  await configureAmplify();
  await withTokenLock(async () => {
    const before = await storedTokens();
    await storeTokens(tokens);
    if (before) void revokeTokens(before);
  });
  await beginSession();
}
