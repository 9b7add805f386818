import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { Uses } from '../adapters/adapters.ts';
import { attempt } from '../runtime/attempt.ts';
import type { RefreshToken } from './refresh-token.ts';

/** Ends the session of a refresh token, first here, then at Cognito. Undefined if it was over. */
export async function endSession(
  { appSessions, relayClient }: Uses<'appSessions' | 'relayClient'>,
  { user_id, id, cognito }: RefreshToken,
): Promise<AppSession | undefined> {
  const ended = await appSessions.remove({ user_id, id });
  await attempt('app-session-not-revoked', { user: user_id }, () => relayClient.revoke(cognito));
  return ended;
}
