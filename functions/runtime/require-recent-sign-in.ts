import { Refusal } from './refusal.ts';
import type { User } from './read-request.ts';

// Milliseconds. A browser left open on a desk must not suffice. Refreshing a token doesn't renew the sign-in.
const RECENT_SIGN_IN = 10 * 60_000;

/** Refuses as `sign-in-again` if the user last signed in more than ten minutes before `now`. */
export function requireRecentSignIn({ signedInAt }: User, now: Date): void {
  if (now.getTime() - signedInAt.getTime() > RECENT_SIGN_IN) throw new Refusal('sign-in-again');
}
