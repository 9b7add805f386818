import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { RelayClient } from '../adapters/cognito/relay-client.ts';
import type { AppSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { attempt } from '../runtime/attempt.ts';
import type { RefreshToken } from './refresh-token.ts';

export interface EndDependencies {
  appSessions: Pick<AppSessionsTable, 'remove'>;
  relayClient: Pick<RelayClient, 'revoke'>;
}

/**
 * Ends the session of a refresh token: first here, which makes every refresh token of it worthless, then at
 * Cognito. Resolves with the session; undefined if it was over.
 */
export async function endSession(
  { appSessions, relayClient }: EndDependencies,
  { user_id, id, cognito }: RefreshToken,
): Promise<AppSession | undefined> {
  const ended = await appSessions.remove({ user_id, id });
  await attempt('app-session-not-revoked', { user: user_id }, () => relayClient.revoke(cognito));
  return ended;
}
