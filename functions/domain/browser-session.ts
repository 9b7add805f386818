import type { BrowserSession } from '../../schemas/rows/app-session.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { SESSION_LIFETIME } from './app-session.ts';
import { isSessionEnded, type SessionIdentity } from './account-moment.ts';

/** Seconds. An account without a sign-in for a year is deleted, so an account in use knows its browser. */
export const BROWSER_LIFETIME = 365 * 86_400;

// Milliseconds.
const DAY = 86_400_000;

/** Whether the browser is signed in. Cognito's refresh token lives sixty days. */
export function isSignedIn({ session, signed_in_at }: BrowserSession, row: UserPlan | undefined, now: Date) {
  const signedInAt = new Date(signed_in_at);
  return (
    session !== undefined &&
    now.getTime() < signedInAt.getTime() + SESSION_LIFETIME * 1000 &&
    !isSessionEnded(row, { session, signedInAt })
  );
}

/** The item after a use; undefined if it stays as it is. */
export function browserUsed(
  known: BrowserSession | undefined,
  { session, signedInAt }: SessionIdentity,
  { user_id, id, kind }: Pick<BrowserSession, 'user_id' | 'id' | 'kind'>,
  now: Date,
): BrowserSession | undefined {
  const isRecent = known && now.getTime() - Date.parse(known.used_at) < DAY;
  if (isRecent && known.session === session && known.kind === kind) return undefined;
  return {
    user_id,
    id,
    kind,
    session,
    signed_in_at: signedInAt.toISOString(),
    used_at: now.toISOString(),
    expires_at: Math.floor(now.getTime() / 1000) + BROWSER_LIFETIME,
  };
}
