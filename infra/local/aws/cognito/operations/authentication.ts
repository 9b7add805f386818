import * as z from 'zod/mini';
import { authenticationResult, checkPassword, completeSignIn, guessedName } from '../authentication.ts';
import { incorrectUsernameOrPassword, invalidParameter } from '../errors.ts';
import { lengths, member, operation } from '../operation.ts';
import { answerCustomChallenge, startCustomChallenge } from '../custom-challenge.ts';
import type { Parts } from '../parts.ts';
import { decoy, type UserPool, type UserPoolClient } from '../pools.ts';
import { provesPassword, startExchange } from '../srp.ts';
import type { Metadata } from '../triggers.ts';
import { canonicalName, decoyUsername, type User } from '../users.ts';

/** A string of `AuthParameters` or `ChallengeResponses`. Refused if absent or empty. */
function requiredParameter(parameters: Record<string, string>, name: string): string {
  const value = parameters[name];
  if (!value) throw invalidParameter(`Missing required parameter ${name}`);
  return value;
}

/** The flows for passwords and for the pool's own triggers. Refreshes use GetTokensFromRefreshToken. */
const FLOWS = ['USER_SRP_AUTH', 'CUSTOM_AUTH', 'USER_PASSWORD_AUTH'] as const;

interface Start {
  parts: Parts;
  client: UserPoolClient;
  parameters: Record<string, string>;
  metadata: Metadata;
}

const CHALLENGES = ['PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'] as const;

export const authentication = {
  InitiateAuth: operation({
    request: z.object({
      AuthFlow: z.enum(FLOWS, `Member must satisfy enum value set: [${FLOWS.join(', ')}]`),
      ClientId: member.ClientId,
      AuthParameters: z._default(z.record(z.string(), z.string()), {}),
      ClientMetadata: member.Metadata,
    }),
    run: (parts, request) => {
      const client = parts.pools.client(request.ClientId);
      const { AuthParameters: parameters, ClientMetadata: metadata } = request;
      const start: Start = { parts, client, parameters, metadata };
      return flows[request.AuthFlow](start);
    },
  }),

  RespondToAuthChallenge: operation({
    request: z.object({
      ClientId: member.ClientId,
      ChallengeName: z.enum(CHALLENGES, `Member must satisfy enum value set: [${CHALLENGES.join(', ')}]`),
      ChallengeResponses: z._default(z.record(z.string(), z.string()), {}),
      Session: z.nullish(z.string().check(...lengths(20, 2048))),
      ClientMetadata: member.Metadata,
    }),
    run: async (parts, { ClientId, ChallengeName, ChallengeResponses, ClientMetadata, Session }) => {
      const client = parts.pools.client(ClientId);
      if (ChallengeName === 'CUSTOM_CHALLENGE') {
        if (!Session) throw invalidParameter('Missing required parameter Session');
        requiredParameter(ChallengeResponses, 'USERNAME');
        const answer = requiredParameter(ChallengeResponses, 'ANSWER');
        return answerCustomChallenge(parts, client, { Session, answer, metadata: ClientMetadata });
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
      return completeSignIn(parts, client, user, ClientMetadata);
    },
  }),

  GetTokensFromRefreshToken: operation({
    request: z.object({
      ClientId: member.ClientId,
      RefreshToken: member.Token,
      ClientMetadata: member.Metadata,
    }),
    run: async ({ pools, tokens }, { ClientId, ClientMetadata, RefreshToken }) => {
      const issued = await tokens.refresh(pools.client(ClientId), RefreshToken, ClientMetadata);
      const { AuthenticationResult } = authenticationResult(issued);
      return { AuthenticationResult };
    },
  }),
};

async function challengeForPassword(start: Start): Promise<unknown> {
  const { parts, client, parameters } = start;
  if (!client.settings.ExplicitAuthFlows.includes('ALLOW_USER_SRP_AUTH')) {
    throw invalidParameter('USER_SRP_AUTH is not enabled for the client.');
  }
  const { pool } = client;
  const name = requiredParameter(parameters, 'USERNAME');
  const clientPublic = requiredParameter(parameters, 'SRP_A');
  const user = userFor(start, name);
  const guessed = guessedName(pool, user, name);
  parts.attempts.checkLock(guessed);
  const username = user?.username ?? decoyUsername(pool, name);
  const verifier = user?.password ?? decoyVerifier(pool, canonicalName(name));
  // 3072 bits, possibly with a leading zero byte.
  const isNumber = /^[0-9a-f]{1,770}$/i.test(clientPublic);
  const exchange = isNumber ? startExchange(verifier, clientPublic) : undefined;
  if (!exchange) throw invalidParameter('Invalid SRP_A value.');
  const known = user?.password !== undefined;
  const challenge = { username, guessedName: guessed, known, verifier, exchange };
  parts.challenges.open(client, exchange.secretBlock, challenge);
  return {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: {
      SALT: verifier.salt,
      SECRET_BLOCK: exchange.secretBlock,
      SRP_B: exchange.serverPublic,
      USERNAME: username,
      USER_ID_FOR_SRP: username,
    },
  };
}

async function signInWithPassword(start: Start): Promise<unknown> {
  const { parts, client, parameters } = start;
  if (!client.settings.ExplicitAuthFlows.includes('ALLOW_USER_PASSWORD_AUTH')) {
    throw invalidParameter('USER_PASSWORD_AUTH flow not enabled for this client');
  }
  const name = requiredParameter(parameters, 'USERNAME');
  const password = requiredParameter(parameters, 'PASSWORD');
  const user = checkPassword(parts, client.pool, { user: userFor(start, name), name, password });
  return completeSignIn(parts, client, user);
}

/** "ALLOW_CUSTOM_AUTH: Enable Lambda trigger based authentication" (reference of CreateUserPoolClient). */
async function challengeFromTriggers({ parts, client, parameters, metadata }: Start): Promise<unknown> {
  if (!client.settings.ExplicitAuthFlows.includes('ALLOW_CUSTOM_AUTH')) {
    throw invalidParameter('CUSTOM_AUTH is not enabled for the client.');
  }
  return startCustomChallenge(parts, client, requiredParameter(parameters, 'USERNAME'), metadata);
}

const flows = {
  USER_SRP_AUTH: challengeForPassword,
  USER_PASSWORD_AUTH: signInWithPassword,
  CUSTOM_AUTH: challengeFromTriggers,
} as const satisfies Record<(typeof FLOWS)[number], (start: Start) => Promise<unknown>>;

function userFor({ parts, client }: Start, name: string): User | undefined {
  return parts.users.find(client.pool, name);
}

/** RFC 5054, 2.5.1.3: an unknown name gets a made-up salt and id, always the same ones. */
const decoyVerifier = (pool: UserPool, name: string): { salt: string; verifier: string } => ({
  salt: decoy(pool, 'salt', name).toString('hex', 0, 16),
  verifier: decoy(pool, 'verifier', name).toString('hex'),
});
