import { mailboxOf } from '../../../schemas/shapes/mailbox.ts';

// Browsers accept the prefix from this host alone, over TLS: another host of the domain can't plant a secret
// with which a stranger's password would count.
const nameOf = (overTls: boolean): string => (overTls ? '__Host-sign-up' : 'sign-up');

/** The assignment to `document.cookie` that keeps a value for some seconds. */
export const signUpCookie = (value: string, life: number, overTls: boolean): string =>
  `${nameOf(overTls)}=${value}; path=/; max-age=${life}; samesite=strict${overTls ? '; secure' : ''}`;

/** The value in `document.cookie`. Empty if there are several, since one of them isn't ours. */
export function signUpCookieIn(cookies: string, overTls: boolean): string {
  const start = `${nameOf(overTls)}=`;
  const values = cookies.split('; ').filter((cookie) => cookie.startsWith(start));
  return values.length === 1 ? (values[0]?.slice(start.length) ?? '') : '';
}

/** In place of a secret: the sign-up got no mail of its own, because the mailbox has got many today. */
export const NO_MAIL = '';

/**
 * The address that a mailed link confirms in the browser with this cookie: the link's own, or another
 * spelling of the mailbox whose sign-up got no mail of its own.
 */
export function spellingOf(linked: string, cookie: string): string {
  const [name = '', secret] = cookie.split('.');
  const asked = decodeURIComponent(name);
  return secret === NO_MAIL && mailboxOf(asked) === mailboxOf(linked.toLowerCase()) ? asked : linked;
}
