import * as z from 'zod/mini';
import { incorrectUsernameOrPassword } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier, matchesPassword } from '../srp.ts';

export const changePassword = operation({
  request: z.object({
    AccessToken: member.Token,
    PreviousPassword: member.Password,
    ProposedPassword: member.Password,
  }),
  run: async ({ attempts, clock, tokens, users }, request) => {
    const { pool, user } = await tokens.bearer(request.AccessToken);
    checkPolicy(pool, request.ProposedPassword);
    const key = `${pool.id}/${user.username}`;
    const identity = { poolName: pool.name, username: user.username };
    attempts.count('change-password', key);
    if (!user.password || !matchesPassword(identity, user.password, request.PreviousPassword)) {
      throw incorrectUsernameOrPassword();
    }
    attempts.forget('change-password', key);
    const password = createVerifier(identity, request.ProposedPassword);
    users.put({ ...user, password, modifiedAt: clock.now().toISOString() });
    return {};
  },
});
