import { Amplify } from 'aws-amplify';
import * as cognito from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import * as z from 'zod/mini';
import { siteConfig } from '../app/site-config.ts';
import type { AccessToken } from './access-token.ts';
import { forgetAllButTokens, forgetEverything, localStore } from './browser-storage.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { type Keeper, MARGIN, type Refreshed, startKeeper } from './keeper.ts';
import { plainMessage, WENT_WRONG } from './provider-message.ts';
import { currentSession, setSession, type User } from './session.ts';

type Tokens = NonNullable<
  Awaited<ReturnType<typeof cognitoUserPoolsTokenProvider.authTokenStore.loadTokens>>
>;

/** `message` is the provider's own, or the specification's. */
type Refused = { kind: 'refused'; message: string };
type SignInOutcome = { kind: 'signed-in' } | { kind: 'confirmation-required' } | Refused;
type SignUpOutcome = { kind: 'confirmation-required' } | { kind: 'complete' } | Refused;
export type Outcome = { kind: 'done' } | Refused;

// A token with less life than this could end on its way.
const TRANSIT = 5_000;

const IdToken = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.optional(z.string()),
  'cognito:username': z.string(),
});
// `auth_time` in Unix seconds.
const AccessToken = z.object({ auth_time: z.number(), scope: z.string() });
// `iat` in Unix seconds.
const Issued = z.object({ username: z.string(), iat: z.number() });

let configured: Promise<void> | undefined;
let keeper: Keeper | undefined;
let alonePending: Promise<unknown> = Promise.resolve();

/** Tells Amplify which pool the site has. Rejects where that can't be had; asking again tries again. */
export function configure(): Promise<void> {
  configured ??= siteConfig().then(
    ({ userPoolId, userPoolClientId, userPoolEndpoint }) => {
      // Amplify knows AWS's own endpoints, and warns in the console of every one it is told.
      const known = `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com`;
      const endpoint = userPoolEndpoint === known ? {} : { userPoolEndpoint };
      Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, ...endpoint } } });
    },
    (error: unknown) => {
      configured = undefined;
      throw error;
    },
  );
  return configured;
}

/** One tab at a time: where refresh tokens rotate, two tabs that use the same token end the session. */
export function alone<T>(work: () => Promise<T>): Promise<T> {
  if (localStore()) return navigator.locks.request('session', work);
  // A browser that forbids storage forbids locks too, and no other tab has the tokens of this one.
  const done = alonePending.then(work);
  alonePending = done.catch(() => undefined);
  return done;
}

export const storedTokens = (): Promise<Tokens | null> =>
  cognitoUserPoolsTokenProvider.authTokenStore.loadTokens();

/** Milliseconds a token is good for by the issuer's clock, which Amplify notes the drift from. */
function remaining({ accessToken, clockDrift }: Tokens): number {
  return (accessToken.payload.exp ?? 0) * 1000 - (Date.now() + (clockDrift ?? 0));
}

export function userOf({ idToken, accessToken }: Tokens): User | null {
  const identity = IdToken.safeParse(idToken?.payload);
  const access = AccessToken.safeParse(accessToken.payload);
  if (!identity.success || !access.success) return null;
  const { sub, email, name, 'cognito:username': userName } = identity.data;
  return {
    id: sub,
    email,
    name: name?.trim() || null,
    // Cognito names an account after its sub, unless it was a provider that brought it.
    hasPassword: userName === sub,
    signedInAt: new Date(access.data.auth_time * 1000),
  };
}

/** Finds out whether the tokens in storage still make a session, and sets it. */
export async function restore(): Promise<void> {
  try {
    await configure();
  } catch {
    return setSession({ kind: 'unreachable' });
  }
  // Alone, because another tab that signs in writes its tokens one after the other.
  const tokens = await alone(storedTokens);
  if (!tokens) return end();
  // Where the provider can't be reached the session stands, and the keeper goes on trying.
  if (remaining(tokens) < TRANSIT && (await refresh()) === 'ended') return end();
  await begin();
}

async function begin(): Promise<void> {
  const tokens = await storedTokens();
  const user = tokens && userOf(tokens);
  if (!user) return end();
  setSession({ kind: 'signed-in', user });
  keeper?.stop();
  keeper = startKeeper({
    remaining: async () => {
      // Alone: between the old tokens and the new ones of a sign-in in another tab there are none.
      const kept = await alone(storedTokens);
      return kept && remaining(kept);
    },
    refresh: () => refresh(),
    onEnded: () => end(),
  });
}

/** `refusal`: what the sign-in page says of it. */
export function end(refusal?: string): void {
  keeper?.stop();
  keeper = undefined;
  forgetEverything();
  setSession({ kind: 'signed-out', ...(refusal !== undefined && { refusal }) });
}

// A laptop that wakes has missed its ticks.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') keeper?.check();
});
addEventListener('online', () => {
  if (currentSession().kind === 'unreachable') void restore();
  else keeper?.check();
});

/** `refused`: the access token somebody said no to, whatever life it claims to have. */
function refresh(refused?: string): Promise<Refreshed> {
  return alone(async () => {
    const before = await storedTokens();
    if (!before) return 'ended';
    // Another tab may have been faster while this one waited for the lock.
    if (before.accessToken.toString() !== refused && remaining(before) > MARGIN) return 'refreshed';
    try {
      const { tokens } = await cognito.fetchAuthSession({ forceRefresh: true });
      return tokens ? 'refreshed' : 'ended';
    } catch {
      // Amplify drops the tokens where the provider's no is final, and keeps them otherwise.
      return (await storedTokens()) ? 'failed' : 'ended';
    }
  });
}

export async function accessToken(): Promise<AccessToken> {
  if (currentSession().kind !== 'signed-in') return { kind: 'none' };
  const tokens = await storedTokens();
  if (tokens && remaining(tokens) > TRANSIT) return { kind: 'token', token: tokens.accessToken.toString() };
  return renewedToken();
}

/** Another token than `refused`. Where the session turns out to be over, it is ended. */
export async function renewedToken(refused?: string): Promise<AccessToken> {
  const refreshed = await refresh(refused);
  if (refreshed === 'failed') return { kind: 'unreachable' };
  const tokens = refreshed === 'refreshed' ? await storedTokens() : null;
  if (tokens) return { kind: 'token', token: tokens.accessToken.toString() };
  end();
  return { kind: 'none' };
}

/**
 * Ends the session here and at the provider. What the provider answers doesn't matter: not signed in, not
 * allowed and not found all mean that there is no session.
 */
export async function signOut(): Promise<void> {
  await forgetAndRevoke();
  end();
}

/** Signs out and opens the home page from scratch, so that nothing of the person stays in this tab's memory. */
export async function signOutAndLeave(): Promise<void> {
  await configure().catch(() => undefined);
  const hosted = await hostedSignOut();
  await forgetAndRevoke();
  location.assign(hosted ?? '/');
}

/** Clears what this browser holds of the session, and revokes it. What stands in memory is left as it is. */
export async function forgetAndRevoke(): Promise<void> {
  keeper?.stop();
  // Revoking needs the pool; without it the rest is done all the same.
  await configure().catch(() => undefined);
  return alone(async () => {
    forgetAllButTokens();
    await cognito.signOut().catch(() => undefined);
    forgetEverything();
  });
}

/**
 * Where a session ends that came by way of a provider, and which then leads home; null for one that a password began. Cognito
 * keeps such a session in a cookie too, and while it is there whoever presses the provider's button next is the same
 * person again, unasked.
 */
export async function hostedSignOut(): Promise<string | null> {
  const tokens = await storedTokens();
  const access = AccessToken.safeParse(tokens?.accessToken.payload);
  // Tokens for a password carry the scope for the account alone.
  if (!access.success || !access.data.scope.split(' ').includes('openid')) return null;
  const { signInOrigin, userPoolClientId } = await siteConfig();
  const query = new URLSearchParams({ client_id: userPoolClientId, logout_uri: `${location.origin}/` });
  return `${signInOrigin}/logout?${query.toString()}`;
}

/** Makes the session of tokens that were issued just now, in place of any other. */
export async function adopt(issued: {
  accessToken: string;
  idToken: string;
  refreshToken: string;
}): Promise<void> {
  await configure();
  const accessToken = cognito.decodeJWT(issued.accessToken);
  const { username, iat } = Issued.parse(accessToken.payload);
  await alone(async () => {
    if (await storedTokens()) await cognito.signOut();
    await cognitoUserPoolsTokenProvider.authTokenStore.storeTokens({
      accessToken,
      idToken: cognito.decodeJWT(issued.idToken),
      refreshToken: issued.refreshToken,
      clockDrift: iat * 1000 - Date.now(),
      username,
    });
  });
  await begin();
}

/** `userName`: an e-mail address, or the opaque name a reset link carries. */
export async function signIn(userName: string, password: string): Promise<SignInOutcome> {
  if (userName.trim() === '' || password === '') return { kind: 'refused', message: CREDENTIALS_MISSING };
  try {
    await configure();
    const { isSignedIn, nextStep } = await alone(async () => {
      // Whoever types a password here means this account, not the one that is still signed in.
      if (await storedTokens()) await cognito.signOut();
      return cognito.signIn({ username: userName.trim(), password });
    });
    if (isSignedIn) {
      await begin();
      return { kind: 'signed-in' };
    }
    if (nextStep.signInStep === 'CONFIRM_SIGN_UP') {
      // Cognito sends none by itself. The page that follows says where to look and can send another.
      cognito.resendSignUpCode({ username: userName.trim() }).catch(() => undefined);
      return { kind: 'confirmation-required' };
    }
    return { kind: 'refused', message: `This account needs a step that isn't offered here.` };
  } catch (error) {
    return refusal(error);
  }
}

export async function signUp(account: {
  name: string;
  email: string;
  password: string;
}): Promise<SignUpOutcome> {
  const email = account.email.trim();
  if (email === '' || account.password === '') return { kind: 'refused', message: CREDENTIALS_MISSING };
  try {
    await configure();
    const { nextStep } = await cognito.signUp({
      username: email,
      password: account.password,
      options: { userAttributes: { email, name: account.name.trim() } },
    });
    return { kind: nextStep.signUpStep === 'CONFIRM_SIGN_UP' ? 'confirmation-required' : 'complete' };
  } catch (error) {
    return refusal(error);
  }
}

export const confirmEmail = (email: string, code: string): Promise<Outcome> =>
  attempt(() => cognito.confirmSignUp({ username: email, confirmationCode: code.trim() }));

export const resendConfirmation = (email: string): Promise<Outcome> =>
  attempt(
    () => cognito.resendSignUpCode({ username: email }),
    'Failed to resend confirmation email. Please try again.',
  );

export const requestPasswordReset = (email: string): Promise<Outcome> =>
  attempt(() => cognito.resetPassword({ username: email.trim() }));

/** `userName` and `code` are what the reset link carries. */
export const resetPassword = (userName: string, code: string, newPassword: string): Promise<Outcome> =>
  attempt(() => cognito.confirmResetPassword({ username: userName, confirmationCode: code, newPassword }));

async function attempt(work: () => Promise<unknown>, otherwise?: string): Promise<Outcome> {
  try {
    await configure();
    await work();
    return { kind: 'done' };
  } catch (error) {
    return refusal(error, otherwise);
  }
}

/** `otherwise` is said where the provider says nothing. */
export function refusal(error: unknown, otherwise: string = WENT_WRONG): Refused {
  const message = error instanceof Error ? plainMessage(error.message) : '';
  return { kind: 'refused', message: message || otherwise };
}
