import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi';
import * as z from 'zod/mini';
import { siteConfig } from '../app/site-config.ts';
import { adopt, restore } from './account.ts';
import { forgetEverything, rememberedUser, tabStore } from './browser-storage.ts';
import { answered, type Begun } from './provider-answer.ts';
import { WENT_WRONG } from './provider-message.ts';
import { BEGUN, type Provider, type ProviderReturn, RETURN_PATH } from './provider-return.ts';
import { setSession } from './session.ts';

// What the site's own client may ask for; the last lets the tokens change the account, as those of a password do.
const SCOPE = 'openid email profile aws.cognito.signin.user.admin';

// Cognito's codes live five minutes; nobody waits for an answer that long.
const PATIENCE = 15_000;

// What is sent away with the browser has to be found again when it comes back.
const storageNeededBy = (provider: Provider): string =>
  `Continuing with ${provider} needs your browser to let this site store data, which it doesn't. Please allow it, or use your e-mail address.`;

const Issued = z.object({ access_token: z.string(), id_token: z.string(), refresh_token: z.string() });

const returnAddress = (): string => location.origin + RETURN_PATH;

/**
 * Leaves for the provider. Whoever comes back signed in is taken to `path`, a path of this site. Resolves where leaving isn't
 * possible, with what to say; otherwise the browser goes on before it does.
 *
 * Written out rather than left to Amplify, which keeps a sign-in in flight where all tabs see it: each that wakes up
 * meanwhile takes the address it is at for the answer, finds none, and ends the sign-in of the other.
 */
export function signInWith(provider: Provider, path: string): Promise<{ kind: 'refused'; message: string }> {
  return leave({ provider, path, again: 'no' });
}

async function leave(
  begun: Pick<Begun, 'provider' | 'path' | 'again'>,
): Promise<{ kind: 'refused'; message: string }> {
  const tab = tabStore();
  if (!tab) return { kind: 'refused', message: storageNeededBy(begun.provider) };
  try {
    const { signInOrigin, userPoolClientId } = await siteConfig();
    const state = generateRandomState();
    const verifier = generateRandomCodeVerifier();
    const kept: Begun = { ...begun, state, verifier };
    tab.setItem(BEGUN, new URLSearchParams(kept).toString());
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: userPoolClientId,
      redirect_uri: returnAddress(),
      identity_provider: begun.provider,
      scope: SCOPE,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    location.assign(`${signInOrigin}/oauth2/authorize?${query.toString()}`);
    return await new Promise<never>(() => {});
  } catch {
    return { kind: 'refused', message: WENT_WRONG };
  }
}

/** Makes a session of what somebody came back from a provider with, or says why there is none. */
export async function completeSignIn(returned: ProviderReturn): Promise<void> {
  const answer = answered(returned);
  const outcome =
    answer.kind === 'code'
      ? await exchange(answer)
      : answer.kind === 'again'
        ? await leave(answer.begun)
        : answer;
  if (outcome.kind === 'signed-in') return;
  // Whoever is signed in here anyway, by another tab perhaps, stays so.
  if (rememberedUser() !== null) return restore();
  forgetEverything();
  setSession({ kind: 'signed-out', refusal: outcome.message });
}

async function exchange({
  code,
  verifier,
}: {
  code: string;
  verifier: string;
}): Promise<{ kind: 'signed-in' } | { kind: 'refused'; message: string }> {
  try {
    const { signInOrigin, userPoolClientId } = await siteConfig();
    const response = await fetch(`${signInOrigin}/oauth2/token`, {
      method: 'POST',
      // The body's type is the form's own, which needs no preflight.
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: userPoolClientId,
        redirect_uri: returnAddress(),
        code,
        code_verifier: verifier,
      }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const issued = Issued.safeParse(await response.json());
    if (!issued.success) return { kind: 'refused', message: WENT_WRONG };
    const { access_token, id_token, refresh_token } = issued.data;
    await adopt({ accessToken: access_token, idToken: id_token, refreshToken: refresh_token });
    return { kind: 'signed-in' };
  } catch {
    return { kind: 'refused', message: WENT_WRONG };
  }
}
