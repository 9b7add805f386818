import { createClient } from '../api/client.ts';
import { signInApart } from '../session/isolated-amplify.ts';
import { accessToken, renewedToken } from '../session/session-lifecycle.ts';
import { setSession, type User } from '../session/session.ts';
import { revokeTokens } from '../session/revoke-tokens.ts';
import { signOut } from '../session/sign-out.ts';
import { withTokenLock } from '../session/token-lock.ts';
import { storedTokens, storeTokens, userOf } from '../session/tokens.ts';

/** A new session of the same user, not stored yet; null if the sign-in needs another step. */
export async function freshSession(
  { id }: User,
  password: string,
): Promise<{ user: User; replaceStored: () => Promise<boolean> } | null> {
  const { tokens: fresh } = await signInApart(id, password);
  const user = fresh && userOf(fresh);
  if (!user) return null;
  return {
    user,
    // The caller holds the token lock. Resolves with false if the user has signed out meanwhile.
    replaceStored: async () => {
      const before = await storedTokens();
      if (before) await storeTokens(fresh);
      // A session that isn't used would stay valid for weeks.
      void revokeTokens(before ?? fresh);
      return before !== null;
    },
  };
}

/** A client for a call that ends every session. After a success, it signs this browser in again. */
export function signingInAfter(user: User, password: string) {
  let isSignedIn = false;
  const signIn = async (): Promise<boolean> => {
    try {
      const fresh = await freshSession(user, password);
      if (!fresh) return false;
      isSignedIn = await fresh.replaceStored();
      if (isSignedIn) setSession({ kind: 'signed-in', user: fresh.user });
    } catch {
      // The caller asks `isSignedIn`.
    }
    return isSignedIn;
  };
  const call = createClient({
    // Locked from the request to the new tokens: a tab that refreshed in between would sign out all tabs.
    fetch: (url, init) =>
      withTokenLock(async () => {
        const response = await fetch(url, init);
        if (response.ok) await signIn();
        return response;
      }),
    bearer: { accessToken, renewedToken, signOut },
  });
  return {
    call,
    isSignedIn: () => isSignedIn,
    /** Signs in after a call whose answer was lost. */
    signIn: () => withTokenLock(signIn).catch(() => false),
  };
}

/** Codes of a call that may have succeeded although no answer came. */
export const isUncertain = (code: string): boolean =>
  ['unreachable', 'unreadable', 'internal', 'down'].includes(code);
