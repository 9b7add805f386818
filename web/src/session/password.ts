import * as cognito from 'aws-amplify/auth';
import { createClient } from '../api/client.ts';
import { isolatedAmplify } from './isolated-amplify.ts';
import { UNSUPPORTED_STEP, WENT_WRONG } from './auth-sentence.ts';
import { type Outcome, type Refused, refused, refusedBy } from './outcome.ts';
import { accessToken, endSession, renewedToken } from './session-lifecycle.ts';
import { currentSession, setSession, type User } from './session.ts';
import { signOut } from './sign-out.ts';
import { storedTokens, storeTokens, userOf, withTokenLock } from './tokens.ts';

/**
 * Signs the same user in once more, so that the session counts as fresh. A wrong password changes nothing,
 * neither here nor in other tabs.
 */
export async function confirmPassword(password: string): Promise<Outcome> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return refused(WENT_WRONG);
  try {
    const fresh = await freshSession(session.user, password);
    if (!fresh) return refused(UNSUPPORTED_STEP);
    await withTokenLock(fresh.replaceStored);
    setSession({ kind: 'signed-in', user: fresh.user });
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'confirm-password');
  }
}

/** A new session of the same user, not stored yet; null if signing in needs another step. */
async function freshSession(
  { id }: User,
  password: string,
): Promise<{ user: User; replaceStored: () => Promise<void> } | null> {
  const { context, tokenStore } = await isolatedAmplify();
  await cognito.signIn(context, { username: id, password });
  const fresh = await tokenStore.loadTokens();
  const user = fresh && userOf(fresh);
  if (!user) return null;
  return {
    user,
    // The caller holds the token lock.
    replaceStored: async () => {
      const before = await storedTokens();
      await storeTokens(fresh);
      if (!before) return;
      // The earlier session is unused now, and would live for weeks.
      await tokenStore.storeTokens(before);
      await cognito.signOut(context);
    },
  };
}

/** `sessionsEnded`: whether every other session has certainly ended. */
type PasswordChange = { kind: 'done'; sessionsEnded: boolean } | Refused;

const SIGN_IN_WITH_NEW_PASSWORD = 'Your password was changed. Sign in with it again.';

/**
 * Changes the password, which ends every session of the account, and signs in with the new password, so that
 * this browser stays signed in. If that fails the session ends here too, and the sign-in page says why.
 */
export async function changePassword(currentPassword: string, newPassword: string): Promise<PasswordChange> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return refused(WENT_WRONG);
  const { user } = session;
  const signInWithNew = async (): Promise<boolean> => {
    try {
      const fresh = await freshSession(user, newPassword);
      if (!fresh) return false;
      await fresh.replaceStored();
      setSession({ kind: 'signed-in', user: fresh.user });
      return true;
    } catch {
      return false;
    }
  };

  let signedIn = false;
  const call = createClient({
    // Locked from the request to the new tokens: a tab that refreshed in between would sign out all tabs.
    fetch: (url, init) =>
      withTokenLock(async () => {
        const response = await fetch(url, init);
        if (response.ok) signedIn = await signInWithNew();
        return response;
      }),
    bearer: { accessToken, renewedToken, signOut },
  });
  const answer = await call('change-password', { body: { currentPassword, newPassword } });
  if (!answer.ok) {
    // If only the answer was lost, the password is changed all the same, and the new password signs in.
    const isUncertain = ['unreachable', 'unreadable', 'internal', 'down'].includes(answer.code);
    if (isUncertain && (await withTokenLock(signInWithNew))) return { kind: 'done', sessionsEnded: false };
    return refused(answer.sentence);
  }
  const { sessionsEnded } = answer.value;
  if (sessionsEnded && !signedIn) endSession(SIGN_IN_WITH_NEW_PASSWORD);
  return { kind: 'done', sessionsEnded };
}
