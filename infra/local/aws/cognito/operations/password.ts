import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { codeMismatch } from '../codes.ts';
import {
  incorrectUsernameOrPassword,
  invalidParameter,
  notAuthorized,
  refuseDisabled,
  refuseWithoutRecovery,
  usernameNotFound,
} from '../errors.ts';
import { member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier, matchesPassword } from '../srp.ts';
import type { User } from '../users.ts';
import { CodeRequest, findCodeRecipient } from './code-recipient.ts';

export const passwordOperations = {
  ChangePassword: operation({
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
  }),

  ForgotPassword: operation({
    request: CodeRequest,
    run: async (parts, request) => {
      refuseWithoutRecovery(parts.pools.client(request.ClientId).pool);
      const { client, user, guessed, metadata, simulated } = findCodeRecipient(parts, request);
      if (user?.status === 'EXTERNAL_PROVIDER') {
        throw notAuthorized('User password cannot be reset in the current state.');
      }
      if (user && !client.hidesUserExistence) refuseDisabled(user);
      parts.attempts.count('send:reset', guessed);
      const reachable =
        user?.attributes['email_verified'] === 'true' && user.password !== undefined && !user.disabled;
      if (!user || !reachable) {
        if (client.hidesUserExistence) return simulated();
        throw invalidParameter(
          'Cannot reset password for the user as there is no registered/verified email or phone_number',
        );
      }
      const CodeDeliveryDetails = await parts.delivery.sendCode({
        client,
        user,
        source: 'CustomMessage_ForgotPassword',
        metadata,
      });
      return { CodeDeliveryDetails };
    },
  }),

  ConfirmForgotPassword: operation({
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
      if (!client.hidesUserExistence) {
        if (!user) throw usernameNotFound();
        refuseDisabled(user);
      }
      if (!user || user.disabled) {
        attempts.count('code:reset', guessed);
        throw codeMismatch();
      }
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
        metadata: request.ClientMetadata,
      });
      return {};
    },
  }),
};
