import { CognitoError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import type { User } from '../users.ts';
import { redirectToClient } from './answers.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';
import type { HostedAnswer } from './endpoint.ts';
import { OAuthError } from './oauth-error.ts';

/** Redirects to the client with an authorization code for the tokens of `user`. */
export function grantCode(
  { authorizationCodes }: Parts,
  {
    client,
    request,
    user,
    authTime,
    cookies = [],
  }: {
    client: UserPoolClient;
    request: AuthorizationRequest;
    user: User;
    /** Epoch seconds. */
    authTime: number;
    cookies?: string[];
  },
): HostedAnswer {
  const { clientId, redirectUri, scopes, nonce, challenge } = request;
  const code = authorizationCodes.issue({
    clientId,
    redirectUri,
    scopes,
    nonce,
    challenge,
    poolId: client.pool.id,
    username: user.username,
    authTime,
  });
  return redirectToClient(request, { code }, cookies);
}

/** Turns a trigger's or the pool's refusal into the OAuth error for the client. */
export async function orOAuthError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CognitoError)) throw error;
    // Cognito appends this space.
    const end = error.type === 'UserLambdaValidationException' ? ' ' : '';
    throw new OAuthError('invalid_request', `${error.message}${end}`);
  }
}
