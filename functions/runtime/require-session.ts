import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { User } from './route.ts';

/**
 * Refuses as `not-signed-in` if the session was ended or the account deleted after the token was issued. The
 * authorizer checks signature and dates only, so a stolen token of an ended session would work for up to 15
 * minutes.
 */
export async function requireSession(
  sessionUser: Pick<SessionUser, 'verifiedEmail'>,
  user: User,
): Promise<void> {
  await sessionUser.verifiedEmail(user.accessToken);
}
