import { Amplify, createAmplifyContext } from 'aws-amplify';
import { createUserPoolsTokenProvider } from 'aws-amplify/adapter-core';
import * as cognito from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider, DefaultTokenStore } from 'aws-amplify/auth/cognito';
import {
  accessToken,
  alone,
  configure,
  end,
  forgetAndRevoke,
  hostedSignOut,
  type Outcome,
  refusal,
  renewedToken,
  signOut,
  signOutAndLeave,
  storedTokens,
  userOf,
} from './account.ts';
import { createClient } from '../api/client.ts';
import { nameFault } from './name-fault.ts';
import { WENT_WRONG } from './provider-message.ts';
import type { Provider } from './provider-return.ts';
import { signInWith } from './provider-sign-in.ts';
import { currentSession, setSession, type User } from './session.ts';
import { noteSignInAgain, type SignInAgain } from './sign-in-again.ts';

const ID_TOKEN = /^CognitoIdentityServiceProvider\..+\.idToken$/;

// The name stands in the ID token: when another tab gets a new one, it may have changed.
addEventListener('storage', ({ key }) => {
  if (key !== null && ID_TOKEN.test(key)) void followTokens();
});

/** Sets the session's user anew from the tokens, if they are still the same person's. */
async function followTokens(): Promise<void> {
  // Alone, because another tab writes its tokens one after the other.
  const tokens = await alone(storedTokens);
  const session = currentSession();
  const user = tokens && userOf(tokens);
  if (user && session.kind === 'signed-in' && session.user.id === user.id) {
    setSession({ kind: 'signed-in', user });
  }
}

/** The name is trimmed before it is kept. */
export async function changeName(name: string): Promise<Outcome> {
  const fault = nameFault(name);
  if (fault !== null) return { kind: 'refused', message: fault };
  try {
    await configure();
    await alone(async () => {
      await cognito.updateUserAttributes({ userAttributes: { name: name.trim() } });
      // Reloading the page reads the name from the ID token, and that says what was true when it was issued. Where
      // no new one is to be had just now, the name is changed all the same.
      await cognito.fetchAuthSession({ forceRefresh: true }).catch(() => undefined);
    });
    const session = currentSession();
    if (session.kind === 'signed-in') {
      setSession({ kind: 'signed-in', user: { ...session.user, name: name.trim() } });
    }
    return { kind: 'done' };
  } catch (error) {
    return refusal(error);
  }
}

/**
 * Signs the same person in once more, so that the session counts as fresh. With a wrong password everything stays as it was,
 * here and in every other tab.
 */
export async function confirmPassword(password: string): Promise<Outcome> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return { kind: 'refused', message: WENT_WRONG };
  try {
    const fresh = await freshSession(session.user, password);
    if (!fresh) return { kind: 'refused', message: `This account needs a step that isn't offered here.` };
    await alone(fresh.replaceStored);
    setSession({ kind: 'signed-in', user: fresh.user });
    return { kind: 'done' };
  } catch (error) {
    return refusal(error);
  }
}

/** A new session of the same user, which this browser doesn't use yet; null where signing in needs another step. */
async function freshSession(
  { id }: User,
  password: string,
): Promise<{ user: User; replaceStored: () => Promise<void> } | null> {
  const { context, store } = await aside();
  await cognito.signIn(context, { username: id, password });
  const fresh = await store.loadTokens();
  const user = fresh && userOf(fresh);
  if (!user) return null;
  return {
    user,
    // To be called alone.
    replaceStored: async () => {
      const before = await storedTokens();
      await cognitoUserPoolsTokenProvider.authTokenStore.storeTokens(fresh);
      if (!before) return;
      // Nobody needs the session of before any more, and it would live on for weeks.
      await store.storeTokens(before);
      await cognito.signOut(context);
    },
  };
}

/** `sessionsEnded`: whether it is certain that every other session is ended. */
type PasswordChange = { kind: 'done'; sessionsEnded: boolean } | { kind: 'refused'; message: string };

const SIGN_IN_WITH_NEW_PASSWORD = 'Your password was changed. Sign in with it again.';

/**
 * Changes the password, which ends every session of the account, and signs in again with the new one, so that this browser
 * stays signed in. Where that fails the session ends here too, and the sign-in page says why.
 */
export async function changePassword(currentPassword: string, newPassword: string): Promise<PasswordChange> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return { kind: 'refused', message: WENT_WRONG };
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
    // Alone from the call to the new tokens: a tab that refreshes in between would sign out all of them.
    fetch: (url, init) =>
      alone(async () => {
        const response = await fetch(url, init);
        if (response.ok) signedIn = await signInWithNew();
        return response;
      }),
    bearer: { accessToken, renewedToken, signOut },
  });
  const answer = await call('change-password', { body: { currentPassword, newPassword } });
  if (!answer.ok) {
    // Where only the answer got lost the password is changed all the same, and the new one signs in.
    const unheard = ['unreachable', 'unreadable', 'internal'].includes(answer.code);
    if (unheard && (await alone(signInWithNew))) return { kind: 'done', sessionsEnded: false };
    return { kind: 'refused', message: answer.sentence };
  }
  const { sessionsEnded } = answer.value;
  if (sessionsEnded && !signedIn) end(SIGN_IN_WITH_NEW_PASSWORD);
  return { kind: 'done', sessionsEnded };
}

const STILL_SIGNED_IN = `We couldn't sign you out everywhere just now. Please try again.`;

/** Ends every session of the account, this one last, and leaves for the home page. Resolves where that isn't possible. */
export async function signOutEverywhere(): Promise<Outcome> {
  try {
    // A token that has run out while the machine slept couldn't end anything.
    if ((await accessToken()).kind !== 'token') return { kind: 'refused', message: STILL_SIGNED_IN };
    const { context, store } = await aside();
    await alone(async () => {
      const tokens = await storedTokens();
      if (tokens) await store.storeTokens(tokens);
      await cognito.signOut(context, { global: true });
    });
    // Amplify keeps to itself whether the provider has heard it. Whoever is signed out of the device at hand alone, and is told
    // otherwise, leaves a thief signed in.
    if (!(await isRevoked())) return { kind: 'refused', message: STILL_SIGNED_IN };
    await signOutAndLeave();
    return { kind: 'done' };
  } catch {
    return { kind: 'refused', message: STILL_SIGNED_IN };
  }
}

async function isRevoked(): Promise<boolean> {
  try {
    await alone(() => cognito.fetchUserAttributes());
    return false;
  } catch (error) {
    // The second is Amplify's own: it has dropped the tokens after it couldn't refresh them.
    return (
      error instanceof Error &&
      ['NotAuthorizedException', 'UserUnAuthenticatedException'].includes(error.name)
    );
  }
}

/**
 * Clears what this browser holds of an account that is gone. The session in memory stays: with it the page would go that has
 * just told the person so. Resolves with where to go on to from there: to the home page, by way of the provider's hosted session
 * where one is left. That would open the next account unasked, for whoever sits here then.
 */
export async function forgetDeletedAccount(): Promise<string> {
  const hosted = await hostedSignOut().catch(() => null);
  await forgetAndRevoke();
  return hosted ?? '/';
}

/** Who signs the person in, if it isn't a password. */
export async function providerOfSession(): Promise<Provider | null> {
  const tokens = await storedTokens();
  const userName = tokens?.idToken?.payload['cognito:username'];
  if (typeof userName !== 'string') return null;
  // Cognito calls such an account `google_<id at Google>`.
  return PROVIDERS.find((name) => userName.toLowerCase().startsWith(`${name.toLowerCase()}_`)) ?? null;
}

const PROVIDERS: readonly Provider[] = ['Google', 'GitHub'];

/**
 * Signs out at the provider's hosted session too, without which signing in would only pick that one up and be no fresher, and
 * begins to sign in anew. Whoever comes back is taken to `path`, a path of this site.
 */
export async function signInAgain(path: string): Promise<void> {
  const provider = await providerOfSession();
  await configure();
  const hosted = await hostedSignOut();
  await forgetAndRevoke();
  if (provider !== null) noteSignInAgain({ provider, path });
  location.assign(hosted ?? '/login');
}

/** The second half, after the provider's hosted session has led home. */
export async function continueSignIn({ provider, path }: SignInAgain): Promise<void> {
  const { message } = await signInWith(provider, path);
  setSession({ kind: 'signed-out', refusal: message });
}

/** An Amplify with a purse of its own, in memory: signing in and out with it moves no token of the session. */
async function aside() {
  await configure();
  const { Auth } = Amplify.getConfig();
  if (!Auth) throw new Error('Amplify has not been told of a user pool.');
  const storage = purse();
  const store = new DefaultTokenStore();
  store.setAuthConfig(Auth);
  store.setKeyValueStorage(storage);
  const tokenProvider = createUserPoolsTokenProvider(Auth, storage);
  return { context: createAmplifyContext({ Auth }, { Auth: { tokenProvider } }), store };
}

function purse() {
  const kept = new Map<string, string>();
  return {
    getItem: async (key: string) => kept.get(key) ?? null,
    setItem: async (key: string, value: string) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
    clear: async () => kept.clear(),
  };
}
