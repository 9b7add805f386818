import { useSyncExternalStore } from 'react';
import { forgetEverything, rememberedUser, tabStore, tellsWho } from './browser-storage.ts';
import { answerIn, BEGUN, type ProviderReturn } from './provider-return.ts';
import { takeSignInAgain } from './sign-in-again.ts';

export interface User {
  /** The Cognito `sub`. */
  id: string;
  email: string;
  /** Null where the account has none. */
  name: string | null;
  /** Whether the account can be signed in to with a password of its own. */
  hasPassword: boolean;
  /** When they proved who they are; refreshing tokens doesn't move it. */
  signedInAt: Date;
}

/**
 * `unreachable`: somebody was signed in here, and what it takes to know whether they still are doesn't load.
 * `refusal`: what the sign-in page says first: why a sign-in at a provider failed, or why this session had to end.
 */
export type Session =
  | { kind: 'loading' }
  | { kind: 'signed-out'; refusal?: string }
  | { kind: 'signed-in'; user: User }
  | { kind: 'unreachable' };

const SIGNED_OUT: Session = { kind: 'signed-out' };

let session: Session = SIGNED_OUT;
// The user the session was last set from, as remembered in storage.
let remembered: string | null = null;
const listeners = new Set<() => void>();

export const currentSession = (): Session => session;

export function setSession(next: Session): void {
  session = next;
  remembered = rememberedUser();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Learns from local storage whether somebody may be signed in, and loads the account code only then. From
 * there on, this tab follows what other tabs do: signing in or out in one is seen in all.
 */
export function followSession(): void {
  const returned = takeReturn();
  if (returned) {
    load(async () => (await import('./provider-sign-in.ts')).completeSignIn(returned));
  } else if (rememberedUser() === null) {
    const again = takeSignInAgain();
    // Specification, section 4: without a valid session nothing of an earlier one stays behind.
    forgetEverything();
    if (again) load(async () => (await import('./own-account.ts')).continueSignIn(again));
  } else {
    restore();
  }
  addEventListener('storage', ({ key }) => {
    if (key === null || tellsWho(key)) follow();
  });
  // A page that comes back from the back-forward cache has heard no events meanwhile.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow();
  });
}

function follow(): void {
  const now = rememberedUser();
  if (now === remembered) return;
  if (now === null) setSession(SIGNED_OUT);
  else restore();
}

/**
 * Takes what a provider sent somebody back with out of the address bar and the history, before anything else sees it. What
 * stands there instead is the sign-in page, which sends on whoever is signed in, and tells the others what went wrong.
 */
function takeReturn(): ProviderReturn | null {
  const answer = answerIn(location);
  if (!answer) return null;
  const begun = new URLSearchParams(tabStore()?.getItem(BEGUN) ?? '');
  tabStore()?.removeItem(BEGUN);
  // `usr` is where the router, which starts after this, finds the state of its first location.
  history.replaceState({ usr: { from: begun.get('path') } }, '', '/login');
  return { answer, begun };
}

const restore = (): void => load(async () => (await import('./account.ts')).restore());

function load(work: () => Promise<void>): void {
  setSession({ kind: 'loading' });
  work().catch(() => setSession({ kind: 'unreachable' }));
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, () => SIGNED_OUT);
}
