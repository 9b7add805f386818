import * as z from 'zod/mini';
import { member, operation } from '../operation.ts';
import { attributeList, visibleAttributes } from '../users.ts';
import { userSummary } from './user-summary.ts';

export const adminGetUser = operation({
  caller: 'signed',
  request: z.object({ UserPoolId: member.UserPoolId, Username: member.Username }),
  run: ({ pools, users }, { UserPoolId, Username }) => {
    const user = users.existing(pools.pool(UserPoolId), Username);
    return { ...userSummary(user), UserAttributes: attributeList(visibleAttributes(user)) };
  },
});
