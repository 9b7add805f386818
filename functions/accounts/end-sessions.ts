import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { SessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { log } from '../runtime/log.ts';
import type { User } from '../runtime/route.ts';

export interface EndSessionsDependencies {
  sessionUser: Pick<SessionUser, 'endSessions'>;
  sessionEnds: Pick<SessionEnds, 'noteAll'>;
}

/**
 * Ends every session after a change of password or address. Resolves with false on failure, since the change
 * is already made and the answer must say so.
 */
export async function endSessions(
  dependencies: EndSessionsDependencies,
  user: User,
  now: Date,
): Promise<boolean> {
  try {
    await endEverySession(dependencies, user, now);
    return true;
  } catch (error) {
    log.error('sessions-not-ended', { user: user.id }, error);
    return false;
  }
}

/** Ends every session at Cognito, those of apps included, and notes it. */
export async function endEverySession(
  { sessionUser, sessionEnds }: EndSessionsDependencies,
  user: User,
  now: Date,
): Promise<void> {
  await Promise.all([
    sessionUser.endSessions(user.accessToken),
    noteSessionsEnded(sessionEnds, user.id, now),
  ]);
}

/**
 * Notes in the user's row what Cognito does, so that the list of sessions is true, and our API refuses tokens
 * at once. Never throws.
 */
export async function noteSessionsEnded(
  sessionEnds: Pick<SessionEnds, 'noteAll'>,
  user: string,
  now: Date,
): Promise<void> {
  try {
    await sessionEnds.noteAll(user, now);
  } catch (error) {
    log.error('ended-sessions-not-noted', { user }, error);
  }
}
