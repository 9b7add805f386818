import { lifetimeOf } from './cipher.ts';

/**
 * Binds a sign-in to the browser that began it. `__Host-`: browsers accept it only from this host. `Lax`:
 * they send it when GitHub redirects back. If two tabs sign in at once, only the later sign-in succeeds.
 */
export const SIGN_IN_COOKIE = '__Host-github-sign-in';

const cookie = (value: string, maxAge: number): string =>
  `${SIGN_IN_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`;

export const newSignInCookie = (encrypted: string): string => cookie(encrypted, lifetimeOf('sign-in'));

export const expiredSignInCookie = cookie('', 0);
