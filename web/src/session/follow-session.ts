import { clearStorage, isLastUserKey, rememberedUser, tabStorage } from './browser-storage.ts';
import { takePendingSignIn } from './pending-sign-in.ts';
import { callbackQuery, type ProviderCallback, STORED_SIGN_IN } from './provider-callback.ts';
import { currentSession, setSession, subscribeToSession } from './session.ts';
import {
  announcedNotice,
  setSignInNotice,
  type SignInNotice,
  type StoredNotice,
  takeStoredNotice,
} from './sign-in-notice.ts';

// The user in storage when the session was last set. Another value means that another tab changed it.
let lastSeenUser: string | null = null;
// Why the user is about to leave the storage, if the other tab has said so.
let announced: SignInNotice | null = null;

/**
 * Sets the session as the site starts. Account code is loaded only if storage has a session, or if the
 * address is the answer of a provider. From then on this tab follows sign-ins and sign-outs in other tabs.
 */
export function followSession(): void {
  subscribeToSession(() => {
    lastSeenUser = rememberedUser();
  });
  const callback = takeProviderCallback();
  const notice = takeStoredNotice(tabStorage());
  if (callback) {
    load(async () => (await import('./provider-sign-in.ts')).completeProviderSignIn(callback));
  } else if (rememberedUser() === null) {
    const pending = takePendingSignIn();
    if (notice) followSignOut(notice);
    // Without a session, nothing that an earlier session stored stays behind.
    clearStorage();
    if (pending) load(async () => (await import('./sign-in-again.ts')).continueSignIn(pending));
  } else {
    restore();
  }
  addEventListener('storage', (event) => {
    announced = announcedNotice(event) ?? announced;
    if (event.key === null || isLastUserKey(event.key)) followStorage();
  });
  // A page in the back-forward cache gets no storage events.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) followStorage();
  });
}

function followStorage(): void {
  const user = rememberedUser();
  if (user === lastSeenUser) return;
  if (user !== null) return restore();
  if (currentSession().kind !== 'signed-out') setSignInNotice(announced ?? 'unknown');
  announced = null;
  setSession({ kind: 'signed-out' });
}

/** The page before this one has signed out. The sign-in page says so, and knows where the user was. */
function followSignOut({ notice, from }: StoredNotice): void {
  setSignInNotice(notice);
  // The router, which starts later, reads the state of its first location from `usr`.
  if (from !== null) history.replaceState({ usr: { from } }, '');
}

/**
 * Takes a provider's answer out of the address bar and the history before any other code sees it. The sign-in
 * page replaces it: it redirects a signed-in user, and shows an error to others.
 */
function takeProviderCallback(): ProviderCallback | null {
  const query = callbackQuery(location);
  if (!query) return null;
  const stored = new URLSearchParams(tabStorage()?.getItem(STORED_SIGN_IN) ?? '');
  tabStorage()?.removeItem(STORED_SIGN_IN);
  // The router reads the state of its first location from `usr`.
  history.replaceState({ usr: { from: stored.get('path') } }, '', '/login');
  return { query, stored };
}

const restore = (): void => load(async () => (await import('./session-lifecycle.ts')).restore());

function load(work: () => Promise<void>): void {
  setSession({ kind: 'loading' });
  work().catch(() => setSession({ kind: 'unreachable' }));
}
