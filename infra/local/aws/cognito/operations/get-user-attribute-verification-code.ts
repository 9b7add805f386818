import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';

export const getUserAttributeVerificationCode = operation({
  request: z.object({
    AccessToken: member.Token,
    AttributeName: z.literal('email', 'Member must satisfy enum value set: [email]'),
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, delivery, pools, tokens }, request) => {
    const { pool, user, session } = await tokens.bearer(request.AccessToken);
    attempts.count('send:email', `${pool.id}/${user.username}`);
    const CodeDeliveryDetails = await delivery.sendCode({
      client: pools.client(session.clientId),
      user,
      address: user.attributes['email'] ?? '',
      purpose: 'email',
      source: 'CustomMessage_VerifyUserAttribute',
      metadata: request.ClientMetadata ?? undefined,
    });
    return { CodeDeliveryDetails };
  },
});
