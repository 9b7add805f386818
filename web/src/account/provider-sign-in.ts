import { refusedBy } from './auth-sentence.ts';
import { siteConfig } from '../pages/site-config.ts';
import { beginCodeFlow, type CodeFlowClient } from '../oauth/code-flow.ts';
import { type ProviderKey, providers } from '../../../schemas/product/providers.ts';
import { rememberedUser, tabStorage } from '../session/browser-storage.ts';
import { clearStorage } from '../session/clear-session.ts';
import { type Refused, refused } from './outcome.ts';
import { answerOf, type ProviderSignIn, type StoredSignIn } from './provider-answer.ts';
import { CALLBACK_PATH, type ProviderCallback, STORED_SIGN_IN } from '../session/provider-callback.ts';
import { replaceSession, restore } from '../session/session-lifecycle.ts';
import { setSession } from '../session/session.ts';
import { setSignInNotice } from '../session/use-sign-in-notice.ts';
import { storeIfPossible } from '../session/store-if-possible.ts';
import { decodeTokens } from '../session/tokens.ts';
import { keepWayIn, KNOWN_WAY_IN, lastWayIn } from './way-in.ts';

const TEN_YEARS = 315_360_000;
// Milliseconds for which the page explains why the provider asks again.
const LINKED_SHOWS = 2_000;

async function siteClient(): Promise<CodeFlowClient> {
  const config = await siteConfig();
  return {
    config,
    clientId: config.userPoolClientId,
    redirectUri: location.origin + CALLBACK_PATH,
    // The last scope lets the user change the account, as after a sign-in with a password.
    scope: 'openid email profile aws.cognito.signin.user.admin',
    // Amplify corrects for the browser's clock, so that a wrong clock keeps no user out.
    clockTolerance: TEN_YEARS,
  };
}

const storageNeeded = (provider: ProviderKey): string =>
  `Continuing with ${providers[provider].name} needs your browser to let this site store data, which it doesn't. Please allow it, or use your email address.`;

/**
 * Redirects the browser to the provider. After the sign-in the user arrives at `path`, a path of this site.
 * Resolves only if the redirect fails.
 *
 * Amplify's own provider sign-in isn't used, because it stores the flow where all tabs see it: another tab
 * that loads meanwhile mistakes its own address for the answer, and ends the flow.
 */
export function signInWithProvider(
  provider: ProviderKey,
  path: string,
  begunAt: ProviderSignIn['begunAt'] = '/login',
): Promise<Refused> {
  return redirectToProvider({ provider, path, begunAt, again: 'no' });
}

async function redirectToProvider(signIn: ProviderSignIn): Promise<Refused> {
  const storage = tabStorage();
  if (!storage) return refused(storageNeeded(signIn.provider));
  try {
    const { secrets, address } = await beginCodeFlow(await siteClient(), signIn.provider);
    const stored: StoredSignIn = { ...signIn, ...secrets };
    storage.setItem(STORED_SIGN_IN, new URLSearchParams(stored).toString());
    location.assign(address);
    return await new Promise<never>(() => {});
  } catch (error) {
    return refusedBy(error, 'sign-in');
  }
}

/** Begins the session of a provider's answer, or sets the reason for its failure. */
export async function completeProviderSignIn(callback: ProviderCallback): Promise<void> {
  const outcome = await sessionOf(callback).catch((error: unknown) => refusedBy(error, 'sign-in'));
  if (outcome.kind === 'signed-in') return;
  // A user who is signed in already, perhaps in another tab, stays signed in.
  if (rememberedUser() !== null) return restore();
  clearStorage();
  if (outcome.kind === 'refused') return setSession({ kind: 'signed-out', refusal: outcome.message });
  setSignInNotice('cancelled');
  setSession({ kind: 'signed-out' });
}

async function sessionOf(
  callback: ProviderCallback,
): Promise<{ kind: 'signed-in' } | { kind: 'cancelled' } | Refused> {
  const answer = await answerOf(callback, siteClient);
  if (answer.kind === 'refused' || answer.kind === 'cancelled') return answer;
  if (answer.kind === 'retry') {
    setSession({ kind: 'loading', linked: answer.signIn.provider });
    await new Promise<void>((resolve) => {
      setTimeout(resolve, LINKED_SHOWS);
    });
    return redirectToProvider(answer.signIn);
  }
  const known = await lastWayIn();
  if (known) storeIfPossible(tabStorage(), KNOWN_WAY_IN, known);
  await keepWayIn(answer.provider);
  await replaceSession(decodeTokens(answer.tokens));
  return { kind: 'signed-in' };
}
