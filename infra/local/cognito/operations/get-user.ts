import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';
import { attributeList, visibleAttributes } from '../users.ts';

export const getUser = operation({
  request: z.object({ AccessToken: member.Token }),
  run: ({ pools, tokens }, { AccessToken }) => {
    const { user, session } = tokens.bearer(AccessToken);
    const readable = pools.client(session.clientId).settings.ReadAttributes;
    const shown = Object.entries(visibleAttributes(user)).filter(
      ([name]) => !readable || readable.includes(name) || name === 'sub' || name === 'identities',
    );
    return { Username: user.username, UserAttributes: attributeList(Object.fromEntries(shown)) };
  },
});
