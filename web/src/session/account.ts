import { Amplify } from 'aws-amplify';
import * as cognito from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import * as z from 'zod/mini';
import { siteConfig } from '../site-config.ts';
import type { AccessToken } from './access-token.ts';
import { forgetAllButTokens, forgetEverything } from './browser-storage.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { type Keeper, MARGIN, type Refreshed, startKeeper } from './keeper.ts';
import { currentSession, setSession, type User } from './session.ts';

type Tokens = NonNullable<
  Awaited<ReturnType<typeof cognitoUserPoolsTokenProvider.authTokenStore.loadTokens>>
>;

/** `message` is the provider's own, or the specification's. */
type Refused = { kind: 'refused'; message: string };
type SignInOutcome = { kind: 'signed-in' } | { kind: 'confirmation-required' } | Refused;
type SignUpOutcome = { kind: 'confirmation-required' } | { kind: 'complete' } | Refused;
type Outcome = { kind: 'done' } | Refused;

// A token with less life than this could end on its way.
const TRANSIT = 5_000;

const IdToken = z.object({ sub: z.string(), email: z.string(), name: z.optional(z.string()) });

let configured: Promise<void> | undefined;
let keeper: Keeper | undefined;

function configure(): Promise<void> {
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

/** One tab at a time: a refresh token is good for one use, and two tabs that use it at once end the session. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request('session', work);
}

const storedTokens = (): Promise<Tokens | null> => cognitoUserPoolsTokenProvider.authTokenStore.loadTokens();

/** Milliseconds a token is good for by the issuer's clock, which Amplify notes the drift from. */
function remaining({ accessToken, clockDrift }: Tokens): number {
  return (accessToken.payload.exp ?? 0) * 1000 - (Date.now() + (clockDrift ?? 0));
}

function userOf({ idToken }: Tokens): User | null {
  const parsed = IdToken.safeParse(idToken?.payload);
  if (!parsed.success) return null;
  const { sub, email, name } = parsed.data;
  return { id: sub, email, name: name?.trim() || null };
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
    onEnded: end,
  });
}

function end(): void {
  keeper?.stop();
  keeper = undefined;
  forgetEverything();
  setSession({ kind: 'signed-out' });
}

// A laptop that wakes has missed its ticks.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') keeper?.check();
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
  await forgetAndRevoke();
  location.assign('/');
}

function forgetAndRevoke(): Promise<void> {
  keeper?.stop();
  return alone(async () => {
    forgetAllButTokens();
    await cognito.signOut().catch(() => undefined);
    forgetEverything();
  });
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
function refusal(error: unknown, otherwise = 'Something went wrong. Please try again.'): Refused {
  const message = error instanceof Error ? error.message : '';
  return { kind: 'refused', message: message || otherwise };
}
