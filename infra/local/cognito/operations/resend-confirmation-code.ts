import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { simulatedDelivery } from '../delivery.ts';
import { CognitoError, usernameNotFound } from '../errors.ts';
import { member, operation } from '../operation.ts';

export const resendConfirmationCode = operation({
  request: z.object({
    ClientId: member.ClientId,
    Username: member.Username,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, delivery, pools, users }, request) => {
    const client = pools.client(request.ClientId);
    const user = users.find(client.pool, request.Username);
    if (!user && !client.hidesUserExistence) throw usernameNotFound();
    if (user && user.status !== 'UNCONFIRMED') {
      throw new CognitoError('InvalidParameterException', 'User is already confirmed.');
    }
    attempts.count('send:sign-up', guessedName(client.pool, user, request.Username));
    if (!user) return { CodeDeliveryDetails: simulatedDelivery(client.pool, request.Username) };
    const CodeDeliveryDetails = await delivery.sendCode({
      client,
      user,
      address: user.attributes['email'] ?? '',
      purpose: 'sign-up',
      source: 'CustomMessage_ResendCode',
      metadata: request.ClientMetadata ?? undefined,
    });
    return { CodeDeliveryDetails };
  },
});
