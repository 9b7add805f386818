import type { AppSession } from '../../schemas/rows/app-session.ts';

/** Seconds from the sign-in, like Cognito's refresh token (`infra/constructs/identity/identity.ts`). */
export const SESSION_LIFETIME = 60 * 86_400;

/**
 * The use of a refresh token. `next`: the session's newest. `again`: the one before, whose answer may be
 * lost: no token that it was exchanged for was used. `reused`: any other. `ended`: the session is over.
 */
export type TokenUse = 'next' | 'again' | 'reused' | 'ended';

/** `refreshes`: the number in the token. `hash`: the token's, since several may have the same number. */
export function tokenUse(
  session: AppSession | undefined,
  { refreshes, hash }: { refreshes: number; hash: string },
  now: Date,
): TokenUse {
  if (!session || session.expires_at * 1000 <= now.getTime()) return 'ended';
  // A higher number is in a token from after the backup that the table was restored from.
  if (refreshes >= session.refreshes) return 'next';
  return hash === session.used_token ? 'again' : 'reused';
}
