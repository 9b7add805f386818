import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { AppTokens } from '../../schemas/shapes/app-tokens.ts';
import type { CognitoTokens } from '../adapters/cognito/relay-client.ts';
import type { AppCipher } from './refresh-token.ts';

/**
 * The tokens for an app. `refreshes`: the number of the new refresh token. `cognito`: Cognito's refresh
 * token.
 *
 * With the scope `openid` alone, Cognito's ID token has every attribute of the user. The app gets it only if
 * it asked for name and address.
 */
export async function issueTokens(
  cipher: AppCipher,
  { user_id, id }: Pick<AppSession, 'user_id' | 'id'>,
  { refreshes, cognito, issued }: { refreshes: number; cognito: string; issued: CognitoTokens },
  now: Date,
): Promise<AppTokens> {
  const { accessToken, expiresIn, idToken, scope } = issued;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: await cipher.encrypt('refresh-token', { user_id, id, refreshes, cognito }, now),
    scope,
    ...(scope !== 'openid' && idToken !== undefined && { id_token: idToken }),
  };
}
