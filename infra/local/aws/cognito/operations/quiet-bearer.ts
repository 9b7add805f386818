import { CognitoError } from '../errors.ts';
import type { Tokens } from '../tokens.ts';
import type { User } from '../users.ts';

/** Whose access token it is, for operations in whose reference no refusal says that the account is gone. */
export function quietBearer(tokens: Tokens, accessToken: string): User {
  try {
    return tokens.bearer(accessToken).user;
  } catch (error) {
    const gone = error instanceof CognitoError && error.type === 'UserNotFoundException';
    throw gone ? new CognitoError('NotAuthorizedException', 'Access Token has been revoked') : error;
  }
}
