import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { readJwt } from '../jwt.ts';
import { member, operation } from '../operation.ts';
import type { Pools, UserPoolClient } from '../pools.ts';

export const revokeToken = operation({
  request: z.object({ ClientId: member.ClientId, Token: member.Token }),
  run: ({ pools, sessions }, { ClientId, Token }) => {
    const client = known(pools, ClientId);
    if (readJwt(Token)) {
      throw new CognitoError('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.');
    }
    const session = sessions.byRefreshToken(Token);
    // RFC 7009, 2.2: a token nobody knows needs no revoking, and the answer doesn't say so.
    if (!session) return {};
    if (session.clientId !== client.id) {
      throw new CognitoError('UnauthorizedException', 'The token was issued to another client.');
    }
    sessions.revoke(session);
    return {};
  },
});

/** The one operation of a client's that doesn't know ResourceNotFoundException. */
function known(pools: Pools, clientId: string): UserPoolClient {
  try {
    return pools.client(clientId);
  } catch {
    throw new CognitoError('UnauthorizedException', 'Invalid client.');
  }
}
