import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier } from '../srp.ts';

/** Sets a permanent password, which confirms the account. Codes and sessions stay as they are. */
export const adminSetUserPassword = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Username: member.Username,
    Password: member.Password,
    Permanent: z._default(z.boolean(), false),
  }),
  run: ({ clock, pools, users }, { UserPoolId, Username, Password, Permanent }) => {
    if (!Permanent) {
      throw new CognitoError('InvalidParameterException', 'The local Cognito sets only permanent passwords.');
    }
    const pool = pools.pool(UserPoolId);
    const user = users.existing(pool, Username);
    checkPolicy(pool, Password);
    users.put({
      ...user,
      status: 'CONFIRMED',
      password: createVerifier({ poolName: pool.name, username: user.username }, Password),
      modifiedAt: clock.now().toISOString(),
    });
    return {};
  },
});
