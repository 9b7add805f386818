import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { codeMismatch } from '../codes.ts';
import { CognitoError, usernameNotFound } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { User } from '../users.ts';

export const confirmSignUp = operation({
  request: z.object({
    ClientId: member.ClientId,
    Username: member.Username,
    ConfirmationCode: member.ConfirmationCode,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, clock, codes, pools, triggers, users }, request) => {
    const client = pools.client(request.ClientId);
    const user = users.find(client.pool, request.Username);
    if (!user) {
      if (!client.hidesUserExistence) throw usernameNotFound();
      attempts.count('code:sign-up', guessedName(client.pool, user, request.Username));
      throw codeMismatch();
    }
    if (user.status !== 'UNCONFIRMED') {
      throw new CognitoError(
        'NotAuthorizedException',
        `User cannot be confirmed. Current status is ${user.status}`,
      );
    }
    codes.redeem(user, 'sign-up', request.ConfirmationCode);
    const confirmed: User = {
      ...user,
      status: 'CONFIRMED',
      attributes: { ...user.attributes, email_verified: 'true' },
      modifiedAt: clock.now().toISOString(),
    };
    users.put(confirmed);
    // If the function throws, the call fails and the user stays confirmed, as in Cognito.
    await triggers.postConfirmation('PostConfirmation_ConfirmSignUp', {
      client,
      user: confirmed,
      metadata: request.ClientMetadata ?? undefined,
    });
    return {};
  },
});
