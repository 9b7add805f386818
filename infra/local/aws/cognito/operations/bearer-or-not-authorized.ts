import { CognitoError } from '../errors.ts';
import type { Tokens } from '../tokens.ts';
import type { User } from '../users.ts';

/** The bearer, for operations whose reference lists no UserNotFoundException. */
export async function bearerOrNotAuthorized(tokens: Tokens, accessToken: string): Promise<User> {
  try {
    return (await tokens.bearer(accessToken)).user;
  } catch (error) {
    const isDeleted = error instanceof CognitoError && error.type === 'UserNotFoundException';
    throw isDeleted ? new CognitoError('NotAuthorizedException', 'Access Token has been revoked') : error;
  }
}
