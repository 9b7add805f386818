import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { readJwt } from '../jwt.ts';
import { member, operation } from '../operation.ts';
import type { Pools, UserPoolClient } from '../pools.ts';

export const revokeToken = operation({
  request: z.object({ ClientId: member.ClientId, Token: member.Token }),
  run: ({ pools, sessions }, { ClientId, Token }) => {
    const client = authorizedClient(pools, ClientId);
    if (readJwt(Token)) {
      throw new CognitoError('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.');
    }
    const session = sessions.byRefreshToken(Token);
    // RFC 7009, 2.2: an unknown token is not an error, and the response doesn't reveal that it is unknown.
    if (!session) return {};
    if (session.clientId !== client.id) {
      throw new CognitoError('UnauthorizedException', 'The token was issued to another client.');
    }
    sessions.revoke(session);
    return {};
  },
});

/** RevokeToken is the only client operation without ResourceNotFoundException. */
function authorizedClient(pools: Pools, clientId: string): UserPoolClient {
  try {
    return pools.client(clientId);
  } catch {
    throw new CognitoError('UnauthorizedException', 'Invalid client.');
  }
}
