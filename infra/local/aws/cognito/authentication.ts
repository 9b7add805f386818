import { CognitoError, incorrectUsernameOrPassword } from './errors.ts';
import type { Parts } from './parts.ts';
import type { UserPool, UserPoolClient } from './pools.ts';
import { createVerifier, matchesPassword } from './srp.ts';
import type { IssuedTokens } from './tokens.ts';
import type { Metadata } from './triggers.ts';
import { canonicalName, type User } from './users.ts';

/** The key that guesses are counted under. A user's names share a key; each unknown name has its own. */
export const guessedName = (pool: UserPool, user: User | undefined, name: string): string =>
  `${pool.id}/${user?.username ?? canonicalName(name)}`;

/** Refuses a wrong password and a locked account. Takes equally long if the user doesn't exist. */
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
      attempts.passwordAccepted(guessed);
      return user;
    }
  } else {
    createVerifier(identity, password);
  }
  attempts.passwordFailed(guessed);
  throw incorrectUsernameOrPassword();
}

/**
 * Completes a sign-in after the password has been verified. `metadata`: `ClientMetadata` of
 * RespondToAuthChallenge. By its reference, InitiateAuth runs the trigger before tokens without its own.
 */
export async function completeSignIn(
  { tokens }: Parts,
  client: UserPoolClient,
  user: User,
  metadata?: Metadata,
): Promise<SignInResponse> {
  if (user.status === 'UNCONFIRMED') {
    throw new CognitoError('UserNotConfirmedException', 'User is not confirmed.');
  }
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
