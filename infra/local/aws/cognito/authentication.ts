import { CognitoError, incorrectUsernameOrPassword } from './errors.ts';
import type { Parts } from './parts.ts';
import type { UserPool, UserPoolClient } from './pools.ts';
import { createVerifier, matchesPassword } from './srp.ts';
import type { IssuedTokens } from './tokens.ts';
import { canonicalName, type User } from './users.ts';

/** Under which name guesses are counted: the same for every name of one user, and as well for nobody's. */
export const guessedName = (pool: UserPool, user: User | undefined, name: string): string =>
  `${pool.id}/${user?.username ?? canonicalName(pool, name)}`;

/** Refuses a wrong password and a locked account; takes as long over a user who doesn't exist. */
export function checkPassword(
  { attempts }: Parts,
  pool: UserPool,
  { user, name, password }: { user: User | undefined; name: string; password: string },
): User {
  const guessed = guessedName(pool, user, name);
  attempts.checkLock(guessed);
  const identity = { poolName: pool.name, username: user?.username ?? name };
  if (user?.password) {
    if (matchesPassword(identity, user.password, password)) {
      attempts.passwordHeld(guessed);
      return user;
    }
  } else {
    createVerifier(identity, password);
  }
  attempts.passwordFailed(guessed);
  throw incorrectUsernameOrPassword();
}

/** The end of every sign-in with a password, once the password is proved. */
export async function completeSignIn(
  { tokens, triggers }: Parts,
  client: UserPoolClient,
  user: User,
  metadata: Record<string, string> | undefined,
): Promise<SignInResponse> {
  if (user.status === 'UNCONFIRMED') {
    throw new CognitoError('UserNotConfirmedException', 'User is not confirmed.');
  }
  await triggers.postAuthentication({ client, user, metadata });
  return authenticationResult(await tokens.signIn(client, user, metadata));
}

interface SignInResponse {
  AuthenticationResult: {
    AccessToken: string;
    ExpiresIn: number;
    IdToken: string;
    RefreshToken?: string;
    TokenType: 'Bearer';
  };
  ChallengeParameters: Record<string, never>;
}

export function authenticationResult(issued: IssuedTokens): SignInResponse {
  return {
    AuthenticationResult: {
      AccessToken: issued.accessToken,
      ExpiresIn: issued.expiresIn,
      IdToken: issued.idToken,
      ...(issued.refreshToken === undefined ? {} : { RefreshToken: issued.refreshToken }),
      TokenType: 'Bearer',
    },
    ChallengeParameters: {},
  };
}
