import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { codeMismatch } from '../codes.ts';
import { refuseDisabled, usernameNotFound } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier } from '../srp.ts';
import type { User } from '../users.ts';

export const confirmForgotPassword = operation({
  request: z.object({
    ClientId: member.ClientId,
    Username: member.Username,
    ConfirmationCode: member.ConfirmationCode,
    Password: member.Password,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, clock, codes, pools, triggers, users }, request) => {
    const client = pools.client(request.ClientId);
    const { pool } = client;
    // Checked before the code, so that a refused password doesn't use up the code.
    checkPolicy(pool, request.Password);
    const user = users.find(pool, request.Username);
    const guessed = guessedName(pool, user, request.Username);
    if (!user) {
      if (!client.hidesUserExistence) throw usernameNotFound();
      attempts.count('code:reset', guessed);
      throw codeMismatch();
    }
    refuseDisabled(user);
    codes.redeem(user, 'reset', request.ConfirmationCode);
    const changed: User = {
      ...user,
      status: 'CONFIRMED',
      password: createVerifier({ poolName: pool.name, username: user.username }, request.Password),
      modifiedAt: clock.now().toISOString(),
    };
    users.put(changed);
    attempts.passwordAccepted(guessed);
    await triggers.postConfirmation('PostConfirmation_ConfirmForgotPassword', {
      client,
      user: changed,
      metadata: request.ClientMetadata ?? undefined,
    });
    return {};
  },
});
