import type { AppSession } from '../../schemas/rows/app-session.ts';

/**
 * Seconds. A session ends sixty days after the sign-in, however often it is used. Cognito's refresh token
 * ends then as well (`infra/constructs/identity/identity.ts`).
 */
export const SESSION_LIFETIME = 60 * 86_400;

// Milliseconds. An app whose answer was lost sends the same refresh token again. Cognito's own rotation has
// the same grace.
const GRACE = 30_000;

/**
 * The standing of a refresh token. `next`: the session's newest. `again`: the one before, whose answer may
 * have been lost. `reused`: an older one, or the one before after the grace. `ended`: the session is over.
 */
export type TokenUse = 'next' | 'again' | 'reused' | 'ended';

/** `refreshes`: the number in the token. */
export function tokenUse(session: AppSession | undefined, refreshes: number, now: Date): TokenUse {
  if (!session || session.expires_at * 1000 <= now.getTime()) return 'ended';
  // A higher number is in a token from after the backup that the table was restored from.
  if (refreshes >= session.refreshes) return 'next';
  const isPrevious = refreshes === session.refreshes - 1;
  return isPrevious && now.getTime() < Date.parse(session.used_at) + GRACE ? 'again' : 'reused';
}
