import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';
import type { Parts } from '../parts.ts';
import type { User } from '../users.ts';

export const deleteUser = operation({
  request: z.object({ AccessToken: member.Token }),
  run: async (parts, { AccessToken }) => remove(parts, (await parts.tokens.bearer(AccessToken)).user),
});

export const adminDeleteUser = operation({
  caller: 'signed',
  request: z.object({ UserPoolId: member.UserPoolId, Username: member.Username }),
  run: (parts, { UserPoolId, Username }) =>
    remove(parts, parts.users.existing(parts.pools.pool(UserPoolId), Username)),
});

/** The response has no body. */
function remove({ codes, sessions, users }: Parts, user: User): void {
  users.delete(user);
  codes.forgetAll(user);
  sessions.forgetAll(user);
}
