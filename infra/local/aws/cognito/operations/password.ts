import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { codeMismatch } from '../codes.ts';
import { incorrectUsernameOrPassword, notAuthorized } from '../errors.ts';
import { CodeRequest, member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier, matchesPassword } from '../srp.ts';

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

  /**
   * Refused in a pool with account recovery `admin_only`, which "prevents self-service account recovery"
   * (RecoveryOptionType): "your user pool must have self-service account recovery configured". Type and
   * message: `_get_code_delivery_details` of moto, which answers so for unknown users too. AWS's documents
   * name neither.
   */
  ForgotPassword: operation({
    request: CodeRequest,
    run: ({ pools }, { ClientId }) => {
      pools.client(ClientId);
      throw notAuthorized('Contact administrator to reset password.');
    },
  }),

  /** No code is valid: the pool sends none. */
  ConfirmForgotPassword: operation({
    request: z.object({
      ClientId: member.ClientId,
      Username: member.Username,
      ConfirmationCode: member.ConfirmationCode,
      Password: member.Password,
      ClientMetadata: member.Metadata,
    }),
    run: ({ attempts, pools, users }, { ClientId, Username, Password }) => {
      const { pool } = pools.client(ClientId);
      checkPolicy(pool, Password);
      attempts.count('code:reset', guessedName(pool, users.find(pool, Username), Username));
      throw codeMismatch();
    },
  }),
};
