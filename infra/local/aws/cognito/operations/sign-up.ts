import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { checkAttributes, checkRequired } from '../attributes.ts';
import { CognitoError, emailTaken } from '../errors.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import { checkPolicy } from '../passwords.ts';
import { createVerifier } from '../srp.ts';
import type { User } from '../users.ts';

export const signUp = operation({
  request: z.object({
    ClientId: member.ClientId,
    Username: member.Username,
    Password: member.Password,
    UserAttributes: z.nullish(member.Attributes),
    ValidationData: z.nullish(member.Attributes),
    ClientMetadata: member.Metadata,
  }),
  run: async ({ clock, delivery, pools, triggers, users }, request) => {
    const client = pools.client(request.ClientId);
    const { pool } = client;
    const metadata = request.ClientMetadata ?? undefined;
    if (pool.settings.AdminCreateUserConfig?.AllowAdminCreateUserOnly) {
      throw new CognitoError('NotAuthorizedException', 'SignUp is not permitted for this user pool');
    }
    if (!request.Username.includes('@')) {
      throw new CognitoError('InvalidParameterException', 'Username should be an email.');
    }
    checkPolicy(pool, request.Password);
    const given = attributeRecord(request.UserAttributes ?? []);
    const attributes = { ...given, email: given['email'] ?? request.Username };
    checkAttributes(pool, client, attributes);
    checkRequired(pool, attributes);
    const assertFree = (): void => {
      for (const email of [request.Username, attributes.email]) {
        if (users.byEmail(pool, email)) throw emailTaken('UsernameExistsException');
      }
    };

    // The trigger runs before the check for a taken address. This isn't documented, but several projects
    // report it. A trigger may have freed the address.
    const username = randomUUID();
    const { autoConfirmUser, autoVerifyEmail } = await triggers.preSignUp('PreSignUp_SignUp', {
      pool,
      clientId: client.id,
      username,
      metadata,
      attributes,
      validationData: request.ValidationData ? attributeRecord(request.ValidationData) : undefined,
    });
    assertFree();
    const now = clock.now().toISOString();
    const user: User = {
      poolId: pool.id,
      username,
      status: autoConfirmUser ? 'CONFIRMED' : 'UNCONFIRMED',
      attributes: { sub: username, email_verified: String(autoVerifyEmail), ...attributes },
      password: createVerifier({ poolName: pool.name, username }, request.Password),
      identities: [],
      createdAt: now,
      modifiedAt: now,
    };
    users.put(user);

    const response = { UserConfirmed: autoConfirmUser, UserSub: username };
    if (autoConfirmUser) {
      await triggers.postConfirmation('PostConfirmation_ConfirmSignUp', { client, user, metadata });
      return response;
    }
    if (!pool.settings.AutoVerifiedAttributes.includes('email')) return response;
    const CodeDeliveryDetails = await delivery.sendCode({
      client,
      user,
      address: attributes.email,
      purpose: 'sign-up',
      source: 'CustomMessage_SignUp',
      metadata,
    });
    return { ...response, CodeDeliveryDetails };
  },
});
