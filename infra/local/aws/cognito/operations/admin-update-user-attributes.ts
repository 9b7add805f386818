import * as z from 'zod/mini';
import { checkAttributes, checkEmailFree } from '../attributes.ts';
import { administrator } from '../delivery.ts';
import { attributeRecord, member, operation } from '../operation.ts';

/**
 * A new email address is written at once if the pool doesn't keep the old address until verification, or if
 * the same call sets `email_verified`. Otherwise the address waits for its code.
 */
export const adminUpdateUserAttributes = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    Username: member.Username,
    UserAttributes: member.Attributes,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ clock, delivery, pools, users }, request) => {
    const pool = pools.pool(request.UserPoolId);
    const user = users.existing(pool, request.Username);
    const written = attributeRecord(request.UserAttributes);
    checkAttributes(pool, 'administrator', written);
    const { email, ...others } = written;
    const modifiedAt = clock.now().toISOString();
    if (email === undefined || email === user.attributes['email']) {
      users.put({ ...user, attributes: { ...user.attributes, ...written }, modifiedAt });
      return {};
    }
    checkEmailFree(users, pool, user, email);
    const waits =
      written['email_verified'] !== 'true' &&
      pool.settings.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate.includes('email');
    if (!waits) {
      const attributes = { ...user.attributes, email_verified: 'false', ...written };
      users.put({ ...user, attributes, modifiedAt });
      return {};
    }
    const changed = { ...user, attributes: { ...user.attributes, ...others }, modifiedAt };
    users.put(changed);
    await delivery.sendCode({
      client: administrator(pool),
      user: changed,
      address: email,
      purpose: 'email',
      source: 'CustomMessage_UpdateUserAttribute',
      metadata: request.ClientMetadata ?? undefined,
    });
    return {};
  },
});
