import * as z from 'zod/mini';
import { administrator } from '../delivery.ts';
import { CognitoError, refuseDisabled } from '../errors.ts';
import { member, operation } from '../operation.ts';

/** "Sets the requested user's account into a RESET_REQUIRED status, and sends them a password-reset code." */
export const adminResetUserPassword = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Username: member.Username,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ clock, delivery, pools, users }, request) => {
    const pool = pools.pool(request.UserPoolId);
    const user = users.existing(pool, request.Username);
    refuseDisabled(user);
    if (user.status === 'EXTERNAL_PROVIDER' || user.status === 'UNCONFIRMED') {
      throw new CognitoError('NotAuthorizedException', 'User password cannot be reset in the current state.');
    }
    if (user.attributes['email_verified'] !== 'true') {
      throw new CognitoError(
        'InvalidParameterException',
        'Cannot reset password for the user as there is no registered/verified email or phone_number',
      );
    }
    const reset = { ...user, status: 'RESET_REQUIRED' as const, modifiedAt: clock.now().toISOString() };
    users.put(reset);
    await delivery.sendCode({
      client: administrator(pool),
      user: reset,
      address: user.attributes['email'] ?? '',
      purpose: 'reset',
      source: 'CustomMessage_ForgotPassword',
      metadata: request.ClientMetadata ?? undefined,
    });
    return {};
  },
});
