import { providerFaultIn } from '../../../schemas/product/provider-faults.ts';
import { ACCOUNT_HOME } from '../navigation/from-path.ts';

/** The path that the user pool redirects to after a provider sign-in. Registered with the site's client. */
export const CALLBACK_PATH = ACCOUNT_HOME;

/** The key of a provider sign-in in the tab's storage, which other tabs neither see nor clear. */
export const STORED_SIGN_IN = 'sign-in';

export interface ProviderCallback {
  /** The query of the redirect: `code` or `error`, and our `state`; or `fault`, of our own functions. */
  query: URLSearchParams;
  /** The value under `STORED_SIGN_IN`; empty if this tab began no sign-in. */
  stored: URLSearchParams;
}

/** The query of an address that a provider sign-in redirected to; null for any other address. */
export function callbackQuery({
  pathname,
  search,
}: Pick<URL, 'pathname' | 'search'>): URLSearchParams | null {
  const query = new URLSearchParams(search);
  const isCallback =
    (pathname === CALLBACK_PATH && (query.has('code') || query.has('error'))) ||
    (pathname === '/login' && providerFaultIn(query.get('fault')) !== null);
  return isCallback ? query : null;
}
