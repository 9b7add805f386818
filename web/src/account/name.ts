import * as cognito from 'aws-amplify/auth';
import { nameSentence } from './name-sentence.ts';
import { type Outcome, refused, refusedBy } from './outcome.ts';
import { renewedToken } from '../session/session-lifecycle.ts';
import { currentSession, setSession } from '../session/session.ts';
import { configureAmplify, storedTokens, userOf, withTokenLock } from '../session/tokens.ts';

const ID_TOKEN = /^CognitoIdentityServiceProvider\..+\.idToken$/;

// The ID token holds the name. When another tab stores a new ID token, the name may have changed.
addEventListener('storage', ({ key }) => {
  if (key !== null && ID_TOKEN.test(key)) void readUserAgain();
});

/** Sets the session's user from the stored tokens, if they belong to the same user. */
async function readUserAgain(): Promise<void> {
  // The lock is needed because another tab stores its tokens one by one.
  const tokens = await withTokenLock(storedTokens);
  const session = currentSession();
  const user = tokens && userOf(tokens);
  if (user && session.kind === 'signed-in' && session.user.id === user.id) {
    setSession({ kind: 'signed-in', user });
  }
}

/** Whether Cognito refused the access token: it has expired, or was revoked. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NotAuthorizedException' && /\btoken\b/i.test(error.message);

const storeName = (name: string): Promise<void> =>
  withTokenLock(async () => {
    await cognito.updateUserAttributes({ userAttributes: { name } });
    // A reload reads the name from the ID token. Without a new token, the name is changed anyway.
    await cognito.fetchAuthSession({ forceRefresh: true }).catch(() => undefined);
  });

/** Changes the name. The name is trimmed before it is stored. */
export async function changeName(name: string): Promise<Outcome> {
  const fault = nameSentence(name);
  if (fault !== null) return refused(fault);
  try {
    await configureAmplify();
    const tokens = await storedTokens();
    await storeName(name.trim()).catch(async (error: unknown) => {
      // As with our API, the session goes on with another token, or the sign-in page says why it ended.
      if (!isTokenRefused(error)) throw error;
      if ((await renewedToken(tokens?.accessToken.toString())).kind !== 'token') throw error;
      await storeName(name.trim());
    });
    const session = currentSession();
    if (session.kind === 'signed-in') {
      setSession({ kind: 'signed-in', user: { ...session.user, name: name.trim() } });
    }
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'change-name');
  }
}
