import { BROWSER_KEY } from '../../schemas/rows/app-session.ts';
import { BROWSER_LIFETIME } from '../domain/browser-session.ts';
import { sha256 } from '../runtime/sha256.ts';

/** With the prefix `__Host-`, browsers accept it only from this host, and no other host can plant it. */
const BROWSER_COOKIE = '__Host-browser';

const COOKIE_VALUE = /^[\w-]{43}$/;

/** The value of the cookie that the browser has. Undefined without one. */
export function sentBrowserToken(cookies: readonly string[]): string | undefined {
  const sent = cookies.find((cookie) => cookie.startsWith(`${BROWSER_COOKIE}=`));
  const value = sent?.slice(BROWSER_COOKIE.length + 1) ?? '';
  return COOKIE_VALUE.test(value) ? value : undefined;
}

/** The value of the browser's cookie. A new one follows from the token: a repeated request gets it too. */
export const browserToken = (cookies: readonly string[], accessToken: string): string =>
  sentBrowserToken(cookies) ?? sha256(`browser ${accessToken}`);

/** No page needs the cookie, so no script can read it. Signing out doesn't remove it. */
export const browserCookie = (token: string): string =>
  `${BROWSER_COOKIE}=${token}; Path=/; Max-Age=${BROWSER_LIFETIME}; Secure; HttpOnly; SameSite=Strict`;

/** The table holds no cookie that works. */
export const browserId = (token: string): string => `${BROWSER_KEY}${sha256(token)}`;
