import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';

const request = z.object({ UserPoolId: member.UserPoolId, Username: member.Username });

/** "Deactivates a user profile and revokes all access tokens for the user." */
export const adminDisableUser = operation({
  caller: 'signed',
  request,
  run: ({ clock, pools, sessions, users }, { UserPoolId, Username }) => {
    const user = users.existing(pools.pool(UserPoolId), Username);
    users.put({ ...user, disabled: true, modifiedAt: clock.now().toISOString() });
    sessions.revokeAll(user);
    return {};
  },
});

/** "Activates sign-in for a user profile that previously had sign-in access disabled." */
export const adminEnableUser = operation({
  caller: 'signed',
  request,
  run: ({ clock, pools, users }, { UserPoolId, Username }) => {
    const { disabled: _, ...user } = users.existing(pools.pool(UserPoolId), Username);
    users.put({ ...user, modifiedAt: clock.now().toISOString() });
    return {};
  },
});
