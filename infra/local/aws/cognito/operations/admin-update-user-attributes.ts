import * as z from 'zod/mini';
import { checkAttributes, checkEmailFree } from '../attributes.ts';
import { attributeRecord, member, operation } from '../operation.ts';

/** An administrator's word counts: a new e-mail is there at once, verified only if the same call says so. */
export const adminUpdateUserAttributes = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Username: member.Username,
    UserAttributes: member.Attributes,
  }),
  run: ({ clock, pools, users }, { UserPoolId, Username, UserAttributes }) => {
    const pool = pools.pool(UserPoolId);
    const user = users.existing(pool, Username);
    const written = attributeRecord(UserAttributes);
    checkAttributes(pool, 'administrator', written);
    const email = written['email'];
    const moved = email !== undefined && email !== user.attributes['email'];
    if (moved) checkEmailFree(users, pool, user, email);
    const attributes = { ...user.attributes, ...(moved ? { email_verified: 'false' } : {}), ...written };
    users.put({ ...user, attributes, modifiedAt: clock.now().toISOString() });
    return {};
  },
});
