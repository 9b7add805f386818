import { isRegistered, type RegisteredAddress } from '../../../schemas/relay-address.ts';
import type { RelayRequest } from './request.ts';

// Specification, sections 5 and 8, to the letter.
export const MISSING_ADDRESS = 'Missing redirect_uri parameter';
export const NO_SESSION = 'No session found after OAuth callback';
export const MISSING_TOKENS = 'Missing tokens in session';

export const NOT_REGISTERED = 'This redirect address is not registered.';
export const UNFINISHED = 'The sign-in could not be finished. Please try again.';
export const STORAGE_NEEDED =
  'Your browser must let this site store data for this sign-in. Please allow it and try again.';
export const twice = (name: string): string => `The parameter ${name} is given more than once.`;

/** Where the page goes by itself: to the app's address, to the sign-in page, or nowhere at all. */
export type WayOut = { kind: 'back'; to: string } | { kind: 'login' } | { kind: 'stay' };

/** What comes of opening one of the relay's pages; `onward`: the provider is asked next. */
export type Outcome =
  | { kind: 'onward'; to: string }
  | { kind: 'success'; to: string }
  | { kind: 'error'; message: string; wayOut: WayOut };

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

export const handedOver = (address: RegisteredAddress, tokens: Tokens, state: string | null): Outcome => ({
  kind: 'success',
  to: appended(address, {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    ...(state !== null && { state }),
  }),
});

/** What is wrong, told to the app if it is one of ours. */
export function failed(
  message: string,
  { redirectUri, state }: RelayRequest,
  registered: readonly string[],
): Outcome {
  if (redirectUri === null) return { kind: 'error', message, wayOut: { kind: 'login' } };
  if (!isRegistered(redirectUri, registered)) return goesNowhere(NOT_REGISTERED);
  const error = { error: 'oauth_error', error_description: message, ...(state !== null && { state }) };
  return { kind: 'error', message, wayOut: { kind: 'back', to: appended(redirectUri, error) } };
}

export const goesNowhere = (message: string): Outcome => ({
  kind: 'error',
  message,
  wayOut: { kind: 'stay' },
});

/** Not through `URL`, so that what the address holds already stays as it is registered. */
function appended(address: RegisteredAddress, parameters: Record<string, string>): string {
  const joint = address.includes('?') ? '&' : '?';
  return `${address}${joint}${new URLSearchParams(parameters).toString()}`;
}
