import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { simulatedDelivery } from '../delivery.ts';
import { CognitoError, usernameNotFound } from '../errors.ts';
import { member, operation } from '../operation.ts';

export const forgotPassword = operation({
  request: z.object({
    ClientId: member.ClientId,
    Username: member.Username,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, delivery, pools, users }, request) => {
    const client = pools.client(request.ClientId);
    const user = users.find(client.pool, request.Username);
    if (!user && !client.hidesUserExistence) throw usernameNotFound();
    attempts.count('send:reset', guessedName(client.pool, user, request.Username));
    const reachable = user?.attributes['email_verified'] === 'true' && user.password !== undefined;
    if (!user || !reachable) {
      if (client.hidesUserExistence) {
        return { CodeDeliveryDetails: simulatedDelivery(client.pool, request.Username) };
      }
      throw new CognitoError(
        'InvalidParameterException',
        'Cannot reset password for the user as there is no registered/verified email or phone_number',
      );
    }
    const CodeDeliveryDetails = await delivery.sendCode({
      client,
      user,
      address: user.attributes['email'] ?? '',
      purpose: 'reset',
      source: 'CustomMessage_ForgotPassword',
      metadata: request.ClientMetadata ?? undefined,
    });
    return { CodeDeliveryDetails };
  },
});
