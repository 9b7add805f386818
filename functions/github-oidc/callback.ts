import * as z from 'zod/mini';
import { log } from '../runtime/log.ts';
import type { Issuer } from './issuer.ts';
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts';
import { cookieOf, queryOf } from './request.ts';
import { redirect } from './response.ts';
import { sameText } from './same-text.ts';
import { noSignInCookie, SIGN_IN_COOKIE } from './sign-in-cookie.ts';
import type { Step } from './step.ts';

const Query = z.object({
  state: z.string(),
  // GitHub's are twenty characters.
  code: z.optional(z.string().check(z.regex(/^[\w-]{1,256}$/))),
  error: z.optional(z.string().check(z.regex(/^\w{1,64}$/))),
});

/**
 * Takes who comes back from GitHub on to Cognito. The code they get there is GitHub's own, sealed together with its verifier: GitHub
 * is asked only when Cognito redeems it.
 */
export const callback: Step = async (issuer, event, now) => {
  const { state, code, error } = queryOf(event, Query);
  const { seal } = await issuer.secrets();
  const signIn = await seal.open('sign-in', cookieOf(event, SIGN_IN_COOKIE) ?? '', now);
  // The cookie stays: it may belong to a sign-in that is still going on in this browser.
  if (!signIn || !sameText(state, signIn.ours)) {
    throw new OAuthError(
      'invalid_request',
      'This sign-in took too long or began in another window. Go back and start it again.',
    );
  }
  const { theirs, verifier, nonce } = signIn;
  if (error !== undefined || code === undefined) return back(issuer, { state: theirs, ...refusal(error) });
  return back(issuer, {
    state: theirs,
    code: await seal.close('code', { code, verifier, ...(nonce && { nonce }) }, now),
  });
};

const back = ({ cognitoCallback }: Issuer, parameters: Record<string, string>) =>
  redirect(`${cognitoCallback}?${new URLSearchParams(parameters).toString()}`, noSignInCookie);

// GitHub's words beyond `access_denied` tell of a mistake of ours, such as an address that isn't registered.
function refusal(error: string | undefined): { error: OAuthErrorCode; error_description: string } {
  if (error === 'access_denied') return { error, error_description: 'You did not let GitHub sign you in.' };
  log.error('github-sign-in-refused', { upstream: 'github', code: error });
  return { error: 'server_error', error_description: 'GitHub could not sign you in. Please try again.' };
}
