import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { readJwt } from '../jwt.ts';
import { member, operation } from '../operation.ts';
import type { Parts } from '../parts.ts';
import type { Pools, UserPoolClient } from '../pools.ts';
import type { User } from '../users.ts';

export const sessionOperations = {
  AdminUserGlobalSignOut: operation({
    caller: 'signed',
    request: z.object({ UserPoolId: member.UserPoolId, Username: member.Username }),
    run: ({ pools, sessions, users }, { UserPoolId, Username }) => {
      sessions.revokeAll(users.existing(pools.pool(UserPoolId), Username));
      return {};
    },
  }),

  DeleteUser: operation({
    request: z.object({ AccessToken: member.Token }),
    run: async (parts, { AccessToken }) => remove(parts, (await parts.tokens.bearer(AccessToken)).user),
  }),

  AdminDeleteUser: operation({
    caller: 'signed',
    request: z.object({ UserPoolId: member.UserPoolId, Username: member.Username }),
    run: (parts, { UserPoolId, Username }) =>
      remove(parts, parts.users.existing(parts.pools.pool(UserPoolId), Username)),
  }),

  RevokeToken: operation({
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
  }),
};

/** The response has no body. */
function remove({ codes, sessions, users }: Parts, user: User): void {
  users.delete(user);
  codes.forget(user);
  sessions.forgetAll(user);
}

/** RevokeToken is the only client operation without ResourceNotFoundException. */
function authorizedClient(pools: Pools, clientId: string): UserPoolClient {
  try {
    return pools.client(clientId);
  } catch {
    throw new CognitoError('UnauthorizedException', 'Invalid client.');
  }
}
