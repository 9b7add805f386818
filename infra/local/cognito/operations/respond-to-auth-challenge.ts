import * as z from 'zod/mini';
import { completeSignIn } from '../authentication.ts';
import { incorrectUsernameOrPassword } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { provesPassword } from '../srp.ts';

export const respondToAuthChallenge = operation({
  request: z.object({
    ClientId: member.ClientId,
    ChallengeName: z.literal('PASSWORD_VERIFIER', 'Member must satisfy enum value set: [PASSWORD_VERIFIER]'),
    ChallengeResponses: z.object({
      USERNAME: z.string(),
      PASSWORD_CLAIM_SECRET_BLOCK: z.string(),
      PASSWORD_CLAIM_SIGNATURE: z.string(),
      TIMESTAMP: z.string(),
    }),
    ClientMetadata: member.Metadata,
  }),
  run: async (parts, { ClientId, ChallengeResponses: response, ClientMetadata }) => {
    const client = parts.pools.client(ClientId);
    const challenge = parts.challenges.take(client, response.PASSWORD_CLAIM_SECRET_BLOCK);
    parts.attempts.checkLock(challenge.guessedName);
    const identity = { poolName: client.pool.name, username: challenge.username };
    const proof = { timestamp: response.TIMESTAMP, signature: response.PASSWORD_CLAIM_SIGNATURE };
    const proved = provesPassword(identity, challenge.verifier, challenge.exchange, proof);
    const user = parts.users.get(client.pool, challenge.username);
    if (!proved || !challenge.known || !user || response.USERNAME !== challenge.username) {
      parts.attempts.passwordFailed(challenge.guessedName);
      throw incorrectUsernameOrPassword();
    }
    parts.attempts.passwordHeld(challenge.guessedName);
    return completeSignIn(parts, client, user, ClientMetadata ?? undefined);
  },
});
