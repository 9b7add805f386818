import { randomUUID } from 'node:crypto';
import { appCodeIn } from '../../schemas/app-code.ts';
import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { AppTokens, CodeGrant } from '../../schemas/shapes/app-tokens.ts';
import type { Uses } from '../adapters/adapters.ts';
import { SESSION_LIFETIME } from '../domain/app-session.ts';
import { OAuthError } from '../runtime/oauth-error.ts';
import { sha256 } from '../runtime/sha256.ts';
import { hashOfAppCode } from './app-code.ts';
import { issueTokens } from './issue-tokens.ts';
import type { AppCipher } from './refresh-token.ts';

type Dependencies = Uses<'appCodes' | 'appSessions' | 'relayClient'> & { cipher: () => Promise<AppCipher> };

/**
 * Redeems an app's code, once: begins a session. A wrong verifier consumes the code. Cognito compares
 * verifier and challenge too, but a code of a sign-in without a challenge may pass there with any verifier
 * (RFC 9700, section 4.8): an app could be made to take the account of the user who began it.
 */
export async function redeemCode(
  { appCodes, appSessions, relayClient, cipher: cipherOf }: Dependencies,
  { code, redirect_uri, code_verifier }: Omit<CodeGrant, 'grant_type' | 'client_id'>,
  now: Date,
): Promise<AppTokens> {
  // A failure to read the key must use no code up.
  const cipher = await cipherOf();
  const wanted = appCodeIn(code);
  const taken =
    wanted === undefined ? undefined : await appCodes.take(hashOfAppCode(wanted), redirect_uri, now);
  const isVerified = taken?.code_challenge === sha256(code_verifier);
  const issued = taken && isVerified && (await relayClient.redeem(taken.cognito_code, code_verifier));
  if (!issued)
    throw new OAuthError('invalid_grant', 'This code is wrong, used or expired. Please sign in again.');
  if (issued.refresh_token === undefined) throw new Error('Cognito sent no refresh token for a code.');
  const session: AppSession = {
    user_id: issued.sub,
    id: randomUUID(),
    redirect_uri,
    created_at: now.toISOString(),
    used_at: now.toISOString(),
    refreshes: 0,
    expires_at: Math.floor(now.getTime() / 1000) + SESSION_LIFETIME,
  };
  await appSessions.add(session);
  return issueTokens(cipher, session, { refreshes: 0, cognito: issued.refresh_token, issued }, now);
}
