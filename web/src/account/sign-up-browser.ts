/*
 * The secret of the browser that signed up (`schemas/sign-up-browser.ts`). It stands in a cookie, because a
 * browser without a session clears its storage, and because the mail's link opens a new tab.
 */

import { NO_MAIL, signUpCookie, signUpCookieIn, spellingOf } from './sign-up-cookie.ts';

// Seconds. An account that isn't confirmed within 48 hours is deleted.
const LIFE = 172_800;

/** A new secret, and its hash for the account. */
export async function newSignUpSecret(): Promise<{ secret: string; hash: string }> {
  const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return { secret, hash: base64url(new Uint8Array(digest)) };
}

/** Keeps the secret of this browser's newest sign-up. */
export function keepSignUpSecret(email: string, secret: string): void {
  writeCookie(`${nameOf(email)}.${secret}`, LIFE);
}

/** The secret of this browser's sign-up with this address; undefined if it signed up with another, or not. */
export function signUpSecret(email: string): string | undefined {
  const [name, secret] = readCookie().split('.');
  return name === nameOf(email) && secret !== NO_MAIL ? secret : undefined;
}

/** The address that the link to an address confirms in this browser. */
export const addressToConfirm = (linked: string): string => spellingOf(linked, readCookie());

export const forgetSignUpSecret = (): void => writeCookie('', 0);

// The user pool ignores case.
const nameOf = (email: string): string =>
  encodeURIComponent(email.trim().toLowerCase()).replaceAll('.', '%2E');

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const overTls = (): boolean => location.protocol === 'https:';

function readCookie(): string {
  try {
    return signUpCookieIn(document.cookie, overTls());
  } catch {
    // A page that can't read cookies has none.
    return '';
  }
}

function writeCookie(value: string, life: number): void {
  try {
    document.cookie = signUpCookie(value, life, overTls());
  } catch {
    // Without the cookie, the user chooses a password at the confirmation.
  }
}
