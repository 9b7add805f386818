import { isLastUserKey, rememberedUser, tabStorage } from '../session/browser-storage.ts';
import { clearWithoutSession } from '../session/clear-storage.ts';
import { within } from '../session/within.ts';
import { takePendingSignIn } from '../session/pending-sign-in.ts';
import { callbackQuery, type ProviderCallback, STORED_SIGN_IN } from '../session/provider-callback.ts';
import { currentSession, setSession, subscribeToSession } from '../session/session.ts';
import {
  keepAnnouncement,
  noticeOfEnd,
  type StoredNotice,
  takeStoredNotice,
} from '../session/sign-in-notice.ts';
import { setSignInNotice } from '../session/use-sign-in-notice.ts';

// Milliseconds in which the code of the session has to load.
const LIMIT = 30_000;

// The user in storage when the session was last set. A different value means that another tab changed it.
let lastSeenUser: string | null = null;

/**
 * Sets the session when the site starts. Account code is loaded only if the storage has a session, or if the
 * address is a provider's answer. From then on, watches for sign-ins and sign-outs in other tabs.
 */
export function watchSession(): void {
  subscribeToSession(() => {
    lastSeenUser = rememberedUser();
  });
  const callback = takeProviderCallback();
  const notice = takeStoredNotice(tabStorage());
  if (callback) {
    const loading = within(LIMIT, import('./provider-sign-in.ts'));
    load(loading.then((code) => code.completeProviderSignIn(callback)));
  } else if (rememberedUser() === null) {
    const pending = takePendingSignIn(tabStorage());
    if (notice) applySignOutNotice(notice);
    // Without a session, data that an earlier session stored must go.
    clearWithoutSession();
    if (pending) {
      const loading = within(LIMIT, import('./fresh-sign-in.ts'));
      load(loading.then((code) => code.continueSignIn(pending)));
    }
  } else {
    restore();
  }
  addEventListener('storage', (event) => {
    keepAnnouncement(event);
    if (event.key === null || isLastUserKey(event.key)) syncWithStorage();
  });
  // A browser may freeze a hidden tab, which then gets no storage events.
  document.addEventListener('visibilitychange', () => {
    if (rememberedUser() !== lastSeenUser) syncWithStorage();
  });
  // A page in the back-forward cache gets none either.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) syncWithStorage('signed-out');
  });
}

function syncWithStorage(ended?: 'signed-out'): void {
  const user = rememberedUser();
  const notice = noticeOfEnd(ended);
  if (user === lastSeenUser) return;
  if (user !== null) return restore();
  if (currentSession().kind !== 'signed-out') setSignInNotice(notice);
  setSession({ kind: 'signed-out' });
}

/** Handles a sign-out on the previous page. The sign-in page says so, and knows where the user was. */
function applySignOutNotice({ notice, from }: StoredNotice): void {
  setSignInNotice(notice);
  // The router, which starts later, reads the state of its first location from `usr`.
  if (from !== null) history.replaceState({ usr: { from } }, '');
}

/** Takes a provider's answer out of the address and the history before any other code sees it. */
function takeProviderCallback(): ProviderCallback | null {
  const query = callbackQuery(location);
  if (!query) return null;
  const stored = new URLSearchParams(tabStorage()?.getItem(STORED_SIGN_IN) ?? '');
  tabStorage()?.removeItem(STORED_SIGN_IN);
  // The page that began the sign-in redirects a signed-in user, and shows an error to others. The router
  // reads `usr`.
  const begunAt = stored.get('begunAt') === '/signup' ? '/signup' : '/login';
  history.replaceState({ usr: { from: stored.get('path') } }, '', begunAt);
  return { query, stored };
}

const restore = (): void =>
  load(within(LIMIT, import('../session/session-lifecycle.ts')).then((code) => code.restore()));

function load(work: Promise<void>): void {
  setSession({ kind: 'loading' });
  work.catch(() => setSession({ kind: 'unreachable' }));
}
