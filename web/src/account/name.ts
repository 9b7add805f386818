import { nameSentence } from './name-sentence.ts';
import { serviceSentences } from '../api/service-sentences.ts';
import { SESSION_ENDED, refusedBy } from './auth-sentence.ts';
import { type Outcome, refused } from './outcome.ts';
import { accessToken, renewedToken } from '../session/session-lifecycle.ts';
import { callCognito } from '../session/call-cognito.ts';
import { currentSession, setSession } from '../session/session.ts';
import { readTokens, userOf } from '../session/tokens.ts';

const ID_TOKEN = /^CognitoIdentityServiceProvider\..+\.idToken$/;

// The ID token holds the name. When another tab stores a new ID token, the name may have changed.
addEventListener('storage', ({ key }) => {
  if (key !== null && ID_TOKEN.test(key)) readUserAgain().catch(() => {});
});

/** Sets the session's user from the stored tokens, if they belong to the same user. */
async function readUserAgain(): Promise<void> {
  const tokens = await readTokens();
  const session = currentSession();
  const user = tokens && userOf(tokens);
  if (user && session.kind === 'signed-in' && session.user.id === user.id) {
    setSession({ kind: 'signed-in', user });
  }
}

/** Whether Cognito refused the access token: it has expired, or was revoked. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NotAuthorizedException' && /\btoken\b/i.test(error.message);

const storeName = (token: string, name: string) =>
  callCognito('UpdateUserAttributes', {
    AccessToken: token,
    UserAttributes: [{ Name: 'name', Value: name }],
  });

/** Changes the name. The name is trimmed before it is stored. */
export async function changeName(typed: string): Promise<Outcome> {
  const fault = nameSentence(typed);
  if (fault !== null) return refused(fault);
  const name = typed.normalize('NFC').trim();
  try {
    let access = await accessToken();
    if (access.kind === 'token') {
      const { token } = access;
      await storeName(token, name).catch(async (error: unknown) => {
        // As with our API, the session goes on with another token, or the sign-in page says why it ended.
        if (!isTokenRefused(error)) throw error;
        access = await renewedToken(token);
        if (access.kind === 'token') await storeName(access.token, name);
      });
    }
    if (access.kind !== 'token') {
      return refused(access.kind === 'none' ? SESSION_ENDED : serviceSentences.unreachable);
    }
    // A reload reads the name from the ID token. Without a new token, the name is changed anyway.
    await renewedToken(access.token);
    const session = currentSession();
    if (session.kind === 'signed-in') setSession({ kind: 'signed-in', user: { ...session.user, name } });
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'change-name');
  }
}
