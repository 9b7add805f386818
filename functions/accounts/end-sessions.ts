import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { SessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { attempt } from '../runtime/attempt.ts';
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
  const ended = await attempt('sessions-not-ended', { user: user.id }, async () => {
    await endEverySession(dependencies, user, now);
    return true;
  });
  return ended ?? false;
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
export const noteSessionsEnded = (
  sessionEnds: Pick<SessionEnds, 'noteAll'>,
  user: string,
  now: Date,
): Promise<void> => attempt('ended-sessions-not-noted', { user }, () => sessionEnds.noteAll(user, now));
