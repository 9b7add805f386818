import { createHash, timingSafeEqual } from 'node:crypto';
import { CognitoError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import type { IssuedTokens } from '../tokens.ts';
import { json } from './answers.ts';
import { type Endpoint, requiredParameter, parameter } from './endpoint.ts';
import { publicClient } from './hosted-client.ts';
import { OAuthError } from './oauth-error.ts';

export const token: Endpoint = async ({ authorization, form, parts }) => {
  const grantType = requiredParameter(form, 'grant_type');
  // This grant needs a client secret, which no client here has.
  if (grantType === 'client_credentials') throw new OAuthError('unauthorized_client');
  const grant = grants.get(grantType);
  if (!grant) throw new OAuthError('unsupported_grant_type');
  const client = publicClient(parts, form, authorization, 400);
  if (!client.settings.AllowedOAuthFlowsUserPoolClient) throw new OAuthError('unauthorized_client');
  const { issued, scopes } = await grant(parts, client, form);
  return json(200, {
    // A sign-in by the API returns an ID token whatever the access token's scopes are.
    ...(!scopes || scopes.includes('openid') ? { id_token: issued.idToken } : {}),
    access_token: issued.accessToken,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    expires_in: issued.expiresIn,
    token_type: 'Bearer',
  });
};

interface Grant {
  issued: IssuedTokens;
  /** Undefined for a sign-in by the API. */
  scopes: string[] | undefined;
}

async function exchange(
  { authorizationCodes, tokens, users }: Parts,
  client: UserPoolClient,
  form: URLSearchParams,
): Promise<Grant> {
  const code = requiredParameter(form, 'code');
  const redirectUri = requiredParameter(form, 'redirect_uri');
  const verifier = parameter(form, 'code_verifier');
  const codeGrant = authorizationCodes.take(code, client.id);
  if (!codeGrant || codeGrant.redirectUri !== redirectUri || !isVerified(codeGrant.challenge, verifier)) {
    throw new OAuthError('invalid_grant');
  }
  const user = users.get(client.pool, codeGrant.username);
  if (!user) throw new OAuthError('invalid_grant');
  return { issued: await tokens.redeem(client, user, codeGrant), scopes: codeGrant.scopes };
}

/** RFC 7636, 4.6. A verifier without a challenge is refused too (RFC 9700, 2.1.1). */
function isVerified(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  // RFC 7636, 4.1.
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const expected = createHash('sha256').update(verifier).digest();
  return timingSafeEqual(expected, Buffer.from(challenge, 'base64url'));
}

/** Returns the new refresh token if the client rotates. */
async function refresh(
  { sessions, tokens }: Parts,
  client: UserPoolClient,
  form: URLSearchParams,
): Promise<Grant> {
  const refreshToken = requiredParameter(form, 'refresh_token');
  try {
    const { scopes } = sessions.present(client, refreshToken);
    return { issued: await tokens.refresh(client, refreshToken), scopes };
  } catch (error) {
    if (error instanceof CognitoError) throw new OAuthError('invalid_grant');
    throw error;
  }
}

const grants = new Map<
  string,
  (parts: Parts, client: UserPoolClient, form: URLSearchParams) => Promise<Grant>
>([
  ['authorization_code', exchange],
  ['refresh_token', refresh],
]);
