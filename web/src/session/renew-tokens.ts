import * as z from 'zod/mini';
import { callCognito } from './call-cognito.ts';
import { decodeTokens, type StoredTokens } from './tokens.ts';

// Milliseconds. Other tabs wait for it, so less than the limit of the token lock.
const LIMIT = 10_000;

const Answer = z.object({
  AuthenticationResult: z.object({
    AccessToken: z.string(),
    IdToken: z.string(),
    /** Absent from a renewal, unless refresh tokens rotate. */
    RefreshToken: z.optional(z.string()),
  }),
});

/** Gets new tokens from Cognito, and stores nothing. The caller holds the token lock. */
export async function renewTokens(before: StoredTokens): Promise<StoredTokens> {
  const refreshToken = before.refreshToken ?? '';
  const answer = await callCognito('GetTokensFromRefreshToken', { RefreshToken: refreshToken }, LIMIT);
  // The keys of the stored tokens contain the name.
  return { ...before, ...tokensIn(answer, refreshToken), username: before.username };
}

/** The tokens in an answer of Cognito's. `refreshToken`: if the answer has none. */
export function tokensIn(answer: unknown, refreshToken = ''): StoredTokens {
  const { AccessToken, IdToken, RefreshToken } = Answer.parse(answer).AuthenticationResult;
  return decodeTokens({
    access_token: AccessToken,
    id_token: IdToken,
    refresh_token: RefreshToken ?? refreshToken,
  });
}
