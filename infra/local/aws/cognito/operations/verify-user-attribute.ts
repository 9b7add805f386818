import * as z from 'zod/mini';
import { checkEmailFree } from '../attributes.ts';
import { member, operation } from '../operation.ts';

export const verifyUserAttribute = operation({
  request: z.object({
    AccessToken: member.Token,
    AttributeName: z.literal('email', 'Member must satisfy enum value set: [email]'),
    Code: member.ConfirmationCode,
  }),
  run: async ({ clock, codes, tokens, users }, request) => {
    const { pool, user } = await tokens.bearer(request.AccessToken);
    const email = codes.redeem(user, 'email', request.Code);
    checkEmailFree(users, pool, user, email);
    const attributes = { ...user.attributes, email, email_verified: 'true' };
    users.put({ ...user, attributes, modifiedAt: clock.now().toISOString() });
    return {};
  },
});
