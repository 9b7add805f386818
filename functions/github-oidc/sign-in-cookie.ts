import { lifetimeOf } from './seal.ts';

/**
 * Ties a sign-in to the browser it began in. The prefix makes browsers refuse it from anybody but this very host. `Lax`,
 * because it has to come along when GitHub sends the person back. One at a time: of two sign-ins in two tabs
 * the later one goes on.
 */
export const SIGN_IN_COOKIE = '__Host-github-sign-in';

const cookie = (value: string, maxAge: number): string =>
  `${SIGN_IN_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`;

export const signInCookie = (sealed: string): string => cookie(sealed, lifetimeOf('sign-in'));

export const noSignInCookie = cookie('', 0);
