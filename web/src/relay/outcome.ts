import { isRegistered, type RegisteredAddress } from '../../../schemas/config/relay-address.ts';
import type { ProviderKey } from '../../../schemas/product/providers.ts';
import type { AppRequest } from './app-request.ts';

export const MISSING_ADDRESS = 'Missing redirect_uri parameter';
export const NO_SESSION = 'No session found after OAuth callback';
export const MISSING_TOKENS = 'Missing tokens in session';

export const NOT_REGISTERED = 'This redirect address is not registered.';
export const CODE_NEEDED =
  'The app has to ask for a code: response_type=code, a code_challenge, code_challenge_method=S256, and openid or openid email profile as scope.';
export const UNFINISHED = 'The sign-in could not be finished. Please check your connection and try again.';
export const STORAGE_NEEDED =
  'Your browser must let this site store data for this sign-in. Please allow it, or try again in Safari, Chrome or Firefox: private windows and browsers inside other apps often forbid it.';
export const repeatedParameter = (name: string): string => `The parameter ${name} is given more than once.`;

/** The target of an error: the app's address, the sign-in page, or nowhere. */
export type ErrorRedirect = { kind: 'app'; to: string } | { kind: 'login' } | { kind: 'none' };

/** `provider`: the browser continues there. `linked`: linking the accounts has used up the sign-in. */
export type Outcome =
  | { kind: 'provider'; to: string; linked?: ProviderKey }
  | { kind: 'success'; to: string }
  | { kind: 'error'; message: string; redirect: ErrorRedirect };

/** A code for an app, or tokens for its query. */
export type Granted = { code: string } | { access_token: string; refresh_token: string };

export const succeeded = (address: RegisteredAddress, granted: Granted, state: string | null): Outcome => ({
  kind: 'success',
  to: withParameters(address, { ...granted, ...(state !== null && { state }) }),
});

/** An error, reported to the app if its address is registered. */
export function failed(
  message: string,
  { redirectUri, state }: AppRequest,
  registered: readonly string[],
): Outcome {
  if (redirectUri === null) return { kind: 'error', message, redirect: { kind: 'login' } };
  if (!isRegistered(redirectUri, registered)) return failedOnPage(NOT_REGISTERED);
  const error = { error: 'oauth_error', error_description: message, ...(state !== null && { state }) };
  return { kind: 'error', message, redirect: { kind: 'app', to: withParameters(redirectUri, error) } };
}

/** An error, shown on the relay's page and reported to no app. */
export const failedOnPage = (message: string): Outcome => ({
  kind: 'error',
  message,
  redirect: { kind: 'none' },
});

// The address is not parsed with `URL`, which would normalize the registered address.
function withParameters(address: RegisteredAddress, parameters: Record<string, string>): string {
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${new URLSearchParams(parameters).toString()}`;
}
