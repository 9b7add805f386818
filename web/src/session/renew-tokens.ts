import * as z from 'zod/mini';
import { callCognito } from './call-cognito.ts';
import { decodeTokens, type StoredTokens } from './tokens.ts';

// Milliseconds. Other tabs wait for it, so less than the limit of the token lock.
const LIMIT = 10_000;

const Renewed = z.object({
  AuthenticationResult: z.object({
    AccessToken: z.string(),
    IdToken: z.string(),
    /** Only if refresh tokens rotate. */
    RefreshToken: z.optional(z.string()),
  }),
});

/** Gets new tokens from Cognito, and stores nothing. The caller holds the token lock. */
export async function renewTokens(before: StoredTokens): Promise<StoredTokens> {
  const refreshToken = before.refreshToken ?? '';
  const answer = await callCognito('GetTokensFromRefreshToken', { RefreshToken: refreshToken }, LIMIT);
  const { AccessToken, IdToken, RefreshToken } = Renewed.parse(answer).AuthenticationResult;
  const issued = {
    access_token: AccessToken,
    id_token: IdToken,
    refresh_token: RefreshToken ?? refreshToken,
  };
  // The keys of the stored tokens contain the name.
  return { ...before, ...decodeTokens(issued), username: before.username };
}
