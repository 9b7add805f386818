import { randomBytes } from 'node:crypto';
import { completeSignIn } from './authentication.ts';
import type { CustomChallenge } from './challenges.ts';
import { CognitoError, incorrectUsernameOrPassword } from './errors.ts';
import type { Parts } from './parts.ts';
import type { UserPoolClient } from './pools.ts';
import type { Challenged, Metadata } from './triggers.ts';
import { decoyUsername } from './users.ts';

/*
 * The sign-in with challenges that the pool's triggers define, make and verify ("Custom authentication
 * challenge Lambda triggers", developer guide). An unknown user gets them too: clients here prevent errors
 * that reveal users. Locks of passwords don't count: "This behavior doesn't apply to custom challenges unless
 * they also perform password-based authentication" ("Lockout behavior for failed sign-in attempts").
 */

/** Begins the sign-in. Resolves with the answer of InitiateAuth. */
export const startCustomChallenge = (
  parts: Parts,
  client: UserPoolClient,
  name: string,
  metadata: Metadata,
): Promise<unknown> => nextStep(parts, client, { name, answered: [] }, metadata);

/** Resolves with the answer of RespondToAuthChallenge. */
export async function answerCustomChallenge(
  parts: Parts,
  client: UserPoolClient,
  { Session, answer, metadata }: { Session: string; answer: string; metadata: Metadata },
): Promise<unknown> {
  const { name, answered, parameters } = parts.customChallenges.take(client, Session);
  const challengeResult = await parts.triggers.verifyAuthChallengeResponse(
    challenged(parts, client, name, metadata),
    { privateChallengeParameters: parameters, challengeAnswer: answer },
  );
  const result = { challengeName: 'CUSTOM_CHALLENGE', challengeResult, challengeMetadata: null } as const;
  return nextStep(parts, client, { name, answered: [...answered, result] }, metadata);
}

/** Tokens, another challenge, or a refusal, as the triggers say. */
async function nextStep(
  parts: Parts,
  client: UserPoolClient,
  { name, answered }: Pick<CustomChallenge, 'name' | 'answered'>,
  metadata: Metadata,
): Promise<unknown> {
  const of = challenged(parts, client, name, metadata);
  const { user } = of;
  const decision = await parts.triggers.defineAuthChallenge(of, answered);
  if (decision.failAuthentication) throw incorrectUsernameOrPassword();
  if (decision.issueTokens) {
    if (!user) throw incorrectUsernameOrPassword();
    return completeSignIn(parts, client, user, metadata);
  }
  if (decision.challengeName !== 'CUSTOM_CHALLENGE') {
    throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output');
  }
  const made = await parts.triggers.createAuthChallenge(of, answered);
  // The reference of RespondToAuthChallenge: 20 to 2,048 characters.
  const Session = randomBytes(64).toString('base64url');
  const parameters = made.privateChallengeParameters;
  parts.customChallenges.open(client, Session, { name, answered, parameters });
  const USERNAME = of.username;
  return {
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeParameters: { ...made.publicChallengeParameters, USERNAME },
    Session,
  };
}

const challenged = (parts: Parts, client: UserPoolClient, name: string, metadata: Metadata): Challenged => {
  const user = parts.users.find(client.pool, name);
  return { client, user, username: user?.username ?? decoyUsername(client.pool, name), metadata };
};
