import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';
import { readableAttributes } from '../readable-attributes.ts';
import { attributeList } from '../users.ts';

export const getUser = operation({
  request: z.object({ AccessToken: member.Token }),
  run: async ({ pools, tokens }, { AccessToken }) => {
    const { user, session } = await tokens.bearer(AccessToken);
    const shown = readableAttributes(pools.client(session.clientId), user);
    return { Username: user.username, UserAttributes: attributeList(shown) };
  },
});
