import { CognitoError } from '../errors.ts';
import type { Tokens } from '../tokens.ts';
import type { User } from '../users.ts';

/** The bearer, for operations whose reference lists no UserNotFoundException. */
export function quietBearer(tokens: Tokens, accessToken: string): User {
  try {
    return tokens.bearer(accessToken).user;
  } catch (error) {
    const gone = error instanceof CognitoError && error.type === 'UserNotFoundException';
    throw gone ? new CognitoError('NotAuthorizedException', 'Access Token has been revoked') : error;
  }
}
