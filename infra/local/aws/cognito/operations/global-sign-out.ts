import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';
import { bearerOrNotAuthorized } from './bearer-or-not-authorized.ts';

export const globalSignOut = operation({
  request: z.object({ AccessToken: member.Token }),
  run: async ({ sessions, tokens }, { AccessToken }) => {
    sessions.revokeAll(await bearerOrNotAuthorized(tokens, AccessToken));
    return {};
  },
});

export const adminUserGlobalSignOut = operation({
  caller: 'signed',
  request: z.object({ UserPoolId: member.UserPoolId, Username: member.Username }),
  run: ({ pools, sessions, users }, { UserPoolId, Username }) => {
    sessions.revokeAll(users.existing(pools.pool(UserPoolId), Username));
    return {};
  },
});
