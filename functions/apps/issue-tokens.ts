import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { AppTokens } from '../../schemas/shapes/app-tokens.ts';
import type { CognitoTokens } from '../adapters/cognito/relay-client.ts';
import type { AppCipher } from './refresh-token.ts';

/**
 * The tokens for an app. `refreshes`: the new refresh token's number. `cognito`: Cognito's. With the scope
 * `openid` alone its ID token has every attribute, so only an app that asked for name and address gets it.
 */
export async function issueTokens(
  cipher: AppCipher,
  { user_id, id }: Pick<AppSession, 'user_id' | 'id'>,
  { refreshes, cognito, issued }: { refreshes: number; cognito: string; issued: CognitoTokens },
  now: Date,
): Promise<AppTokens> {
  const { access_token, expires_in, id_token, scope } = issued;
  return {
    access_token,
    token_type: 'Bearer',
    expires_in,
    refresh_token: await cipher.encrypt('refresh-token', { user_id, id, refreshes, cognito }, now),
    scope,
    ...(scope !== 'openid' && id_token !== undefined && { id_token }),
  };
}
