import { useSyncExternalStore } from 'react';
import { forgetEverything, rememberedUser, tellsWho } from './browser-storage.ts';

export interface User {
  /** The Cognito `sub`. */
  id: string;
  email: string;
  /** Null where the account has none. */
  name: string | null;
}

/** `unreachable`: somebody was signed in here, and what it takes to know whether they still are doesn't load. */
export type Session =
  | { kind: 'loading' }
  | { kind: 'signed-out' }
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
  if (rememberedUser() === null) {
    // Specification, section 4: without a valid session nothing of an earlier one stays behind.
    forgetEverything();
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

function restore(): void {
  setSession({ kind: 'loading' });
  import('./account.ts')
    .then((account) => account.restore())
    .catch(() => setSession({ kind: 'unreachable' }));
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, () => SIGNED_OUT);
}
