import * as z from 'zod/mini';
import { checkAttributes } from '../attributes.ts';
import { member, operation } from '../operation.ts';
import { checkNotRequired } from './required-attributes.ts';

/** Removing an attribute that the user doesn't have is not an error. */
export const deleteUserAttributes = operation({
  request: z.object({
    AccessToken: member.Token,
    UserAttributeNames: z.array(
      z
        .string()
        .check(
          z.minLength(1, 'Member must have length greater than or equal to 1'),
          z.maxLength(32, 'Member must have length less than or equal to 32'),
        ),
    ),
  }),
  run: async ({ clock, pools, tokens, users }, { AccessToken, UserAttributeNames }) => {
    const { pool, user, session } = await tokens.bearer(AccessToken);
    checkNotRequired(pool, UserAttributeNames);
    const emptied = Object.fromEntries(UserAttributeNames.map((name) => [name, '']));
    checkAttributes(pool, pools.client(session.clientId), emptied);
    const kept = Object.entries(user.attributes).filter(([name]) => !UserAttributeNames.includes(name));
    users.put({ ...user, attributes: Object.fromEntries(kept), modifiedAt: clock.now().toISOString() });
    return {};
  },
});
