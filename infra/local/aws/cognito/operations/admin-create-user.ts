import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { checkAttributes, checkRequired } from '../attributes.ts';
import { CognitoError, emailTaken } from '../errors.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import type { User } from '../users.ts';
import { attributeList } from '../users.ts';
import { userSummary } from './user-summary.ts';

/** Creates an account without its own password, which AdminSetUserPassword sets next. */
export const adminCreateUser = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Username: member.Username,
    UserAttributes: z.nullish(member.Attributes),
    MessageAction: z.nullish(z.string()),
    ClientMetadata: member.Metadata,
  }),
  run: async ({ clock, pools, triggers, users }, request) => {
    const pool = pools.pool(request.UserPoolId);
    if (request.MessageAction !== 'SUPPRESS') {
      throw new CognitoError('InvalidParameterException', 'The local Cognito sends no invitations.');
    }
    if (!request.Username.includes('@')) {
      throw new CognitoError('InvalidParameterException', 'Username should be an email.');
    }
    const given = attributeRecord(request.UserAttributes ?? []);
    const attributes = { ...given, email: given['email'] ?? request.Username };
    checkAttributes(pool, 'administrator', attributes);
    checkRequired(pool, attributes);
    const username = randomUUID();
    await triggers.preSignUp('PreSignUp_AdminCreateUser', {
      pool,
      clientId: 'CLIENT_ID_NOT_APPLICABLE',
      username,
      metadata: request.ClientMetadata ?? undefined,
      attributes,
      validationData: undefined,
    });
    if (users.byEmail(pool, attributes.email)) throw emailTaken('UsernameExistsException');
    const now = clock.now().toISOString();
    const user: User = {
      poolId: pool.id,
      username,
      status: 'FORCE_CHANGE_PASSWORD',
      attributes: { sub: username, ...attributes },
      identities: [],
      createdAt: now,
      modifiedAt: now,
    };
    users.put(user);
    return { User: { ...userSummary(user), Attributes: attributeList(user.attributes) } };
  },
});
