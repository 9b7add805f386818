import type { Uses } from '../adapters/adapters.ts';
import { isVoid } from '../domain/account-moment.ts';
import { type TokenUse, tokenUse } from '../domain/app-session.ts';
import { log } from '../runtime/log.ts';
import { OAuthError } from '../runtime/oauth-error.ts';
import { readCounted } from '../runtime/read-counted.ts';
import { sha256 } from '../runtime/sha256.ts';
import { endSession } from './end-session.ts';
import { issueTokens } from './issue-tokens.ts';
import type { AppCipher, RefreshToken } from './refresh-token.ts';

type Dependencies = Uses<'appSessions' | 'relayClient' | 'moments'> & { cipher: () => Promise<AppCipher> };

/**
 * Replaces an app's refresh token. A used one works again, since its answer may have been lost, until a token
 * that it was exchanged for is used. After that it ends the session, and so does every other such token: one
 * of them was copied (RFC 9700, section 4.14.2).
 *
 * Cognito is asked before the refresh is counted: if Cognito doesn't answer, the app's token stays valid.
 */
export async function refreshSession(dependencies: Dependencies, refreshToken: string, now: Date) {
  const { appSessions, moments, relayClient, cipher: cipherOf } = dependencies;
  const cipher = await cipherOf();
  const token = await cipher.decrypt('refresh-token', refreshToken, now);
  if (!token) throw sessionOver();
  const { refreshes } = token;
  const shown = { refreshes, hash: sha256(refreshToken) };
  const currentUse = async (): Promise<TokenUse> => {
    const [session, { moment }] = await Promise.all([
      appSessions.read(token),
      readCounted(moments, token.user_id),
    ]);
    const isTakenBack = session && isVoid(moment, session.created_at);
    return isTakenBack ? 'ended' : tokenUse(session, shown, now);
  };
  const use = await currentUse();
  await refuseUnlessValid(dependencies, token, use);
  const issued = await relayClient.refresh(token.cognito);
  if (!issued) {
    // Where Cognito rotates too, it may refuse a token at the end of its own grace, and the session goes on.
    if (use === 'next') await appSessions.remove(token);
    throw sessionOver();
  }
  if (use === 'next' && !(await appSessions.countRefresh(token, shown, now))) {
    // Another request with the same token was faster.
    await refuseUnlessValid(dependencies, token, await currentUse());
  }
  // Cognito replaces its own refresh token only where the user pool rotates.
  const cognito = issued.refresh_token ?? token.cognito;
  return issueTokens(cipher, token, { refreshes: refreshes + 1, cognito, issued }, now);
}

async function refuseUnlessValid(dependencies: Dependencies, token: RefreshToken, use: TokenUse) {
  if (use === 'next' || use === 'again') return;
  const ended = use === 'reused' ? await endSession(dependencies, token) : undefined;
  // Among concurrent requests, one ends the session.
  if (ended) log.error('app-token-reused', { user: ended.user_id, address: ended.redirect_uri });
  throw sessionOver();
}

const sessionOver = () => new OAuthError('invalid_grant', 'This session is over. Please sign in again.');
