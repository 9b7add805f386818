import * as z from 'zod/mini';
import { log } from '../runtime/log.ts';
import type { Issuer, Step } from './issuer.ts';
import type { OAuthErrorCode } from '../runtime/oauth-error.ts';
import { cookieOf, queryOf } from './request.ts';
import { redirect, redirectToSignIn } from './redirect.ts';
import { sameText } from '../runtime/same-text.ts';
import { expiredSignInCookie, SIGN_IN_COOKIE } from './sign-in-cookie.ts';

const Query = z.object({
  state: z.string(),
  // GitHub's codes have twenty characters.
  code: z.optional(z.string().check(z.regex(/^[\w-]{1,256}$/))),
  error: z.optional(z.string().check(z.regex(/^\w{1,64}$/))),
});

/** Redirects the browser from GitHub to Cognito, whose code is GitHub's code and its verifier, encrypted. */
export const callback: Step = async (issuer, event, now) => {
  const { state, code, error } = queryOf(event, Query);
  const { cipher } = await issuer.secrets();
  const signIn = await cipher.decrypt('sign-in', cookieOf(event, SIGN_IN_COOKIE) ?? '', now);
  // Cognito can't be told, since its state is in the right cookie alone. The cookie is kept: it may belong to
  // another sign-in in this browser.
  if (!signIn || !sameText(state, signIn.ours)) {
    log.info('github-step-refused', { step: 'callback', code: 'expired' });
    return redirectToSignIn(issuer, 'github-expired');
  }
  const { theirs, verifier, nonce } = signIn;
  if (error !== undefined || code === undefined)
    return redirectToCognito(issuer, { state: theirs, ...refusalOf(error) });
  return redirectToCognito(issuer, {
    state: theirs,
    code: await cipher.encrypt('code', { code, verifier, ...(nonce && { nonce }) }, now),
  });
};

const redirectToCognito = ({ cognitoCallback }: Issuer, parameters: Record<string, string>) =>
  redirect(`${cognitoCallback}?${new URLSearchParams(parameters).toString()}`, expiredSignInCookie);

// Every error other than `access_denied` is a mistake in our setup, such as an unregistered callback address.
function refusalOf(error: string | undefined): { error: OAuthErrorCode; error_description: string } {
  if (error === 'access_denied') return { error, error_description: 'You did not let GitHub sign you in.' };
  log.error('github-sign-in-refused', { upstream: 'github', code: error });
  return { error: 'server_error', error_description: 'GitHub could not sign you in. Please try again.' };
}
