import * as z from 'zod/mini';
import { completeSignIn } from '../authentication.ts';
import { CognitoError, incorrectUsernameOrPassword } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { provesPassword } from '../srp.ts';
import { requiredParameter } from './required-parameter.ts';

/** All challenges of Cognito. Pools here only issue PASSWORD_VERIFIER. */
const CHALLENGES = [
  'SMS_MFA',
  'EMAIL_OTP',
  'SOFTWARE_TOKEN_MFA',
  'SELECT_MFA_TYPE',
  'MFA_SETUP',
  'PASSWORD_VERIFIER',
  'CUSTOM_CHALLENGE',
  'SELECT_CHALLENGE',
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'ADMIN_NO_SRP_AUTH',
  'NEW_PASSWORD_REQUIRED',
  'SMS_OTP',
  'PASSWORD',
  'WEB_AUTHN',
  'PASSWORD_SRP',
] as const;

export const respondToAuthChallenge = operation({
  request: z.object({
    ClientId: member.ClientId,
    ChallengeName: z.enum(CHALLENGES, `Member must satisfy enum value set: [${CHALLENGES.join(', ')}]`),
    ChallengeResponses: z._default(z.record(z.string(), z.string()), {}),
    Session: z.nullish(
      z
        .string()
        .check(
          z.minLength(20, 'Member must have length greater than or equal to 20'),
          z.maxLength(2048, 'Member must have length less than or equal to 2048'),
        ),
    ),
    ClientMetadata: member.Metadata,
  }),
  run: async (parts, { ClientId, ChallengeName, ChallengeResponses, Session }) => {
    const client = parts.pools.client(ClientId);
    // Any other challenge needs a session, and none is issued here.
    if (ChallengeName !== 'PASSWORD_VERIFIER') {
      if (!Session) throw new CognitoError('InvalidParameterException', 'Missing required parameter Session');
      throw new CognitoError('NotAuthorizedException', 'Invalid session for the user.');
    }
    const username = requiredParameter(ChallengeResponses, 'USERNAME');
    const secretBlock = requiredParameter(ChallengeResponses, 'PASSWORD_CLAIM_SECRET_BLOCK');
    const signature = requiredParameter(ChallengeResponses, 'PASSWORD_CLAIM_SIGNATURE');
    const timestamp = requiredParameter(ChallengeResponses, 'TIMESTAMP');
    const challenge = parts.challenges.take(client, secretBlock);
    parts.attempts.checkLock(challenge.guessedName);
    const identity = { poolName: client.pool.name, username: challenge.username };
    const proof = { timestamp, signature };
    const proved = provesPassword(identity, challenge.verifier, challenge.exchange, proof);
    const user = parts.users.get(client.pool, challenge.username);
    if (!proved || !challenge.known || !user || username !== challenge.username) {
      parts.attempts.passwordFailed(challenge.guessedName);
      throw incorrectUsernameOrPassword();
    }
    parts.attempts.passwordAccepted(challenge.guessedName);
    return completeSignIn(parts, client, user);
  },
});
