import type { SessionUser } from '../adapters/cognito/session-user.ts';
import { log } from '../runtime/log.ts';
import type { User } from '../runtime/route.ts';

/**
 * Ends every session after a change of password or address. Resolves with false on failure, since the change
 * is already made and the answer must say so.
 */
export async function endSessions(
  sessionUser: Pick<SessionUser, 'endSessions'>,
  user: User,
): Promise<boolean> {
  try {
    await sessionUser.endSessions(user.accessToken);
    return true;
  } catch (error) {
    log.error('sessions-not-ended', { user: user.id }, error);
    return false;
  }
}
