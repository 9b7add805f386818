import * as z from 'zod/mini';
import { checkAttributes, checkEmailFree } from '../attributes.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import { checkNotRequired } from './required-attributes.ts';

export const updateUserAttributes = operation({
  request: z.object({
    AccessToken: member.Token,
    UserAttributes: member.Attributes,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ attempts, clock, delivery, pools, tokens, users }, request) => {
    const { pool, user, session } = await tokens.bearer(request.AccessToken);
    const client = pools.client(session.clientId);
    const written = attributeRecord(request.UserAttributes);
    checkNotRequired(
      pool,
      Object.keys(written).filter((name) => written[name] === ''),
    );
    checkAttributes(pool, client, written);
    const { email, ...others } = written;
    const modifiedAt = clock.now().toISOString();
    if (email === undefined || email === user.attributes['email']) {
      users.put({ ...user, attributes: { ...user.attributes, ...others }, modifiedAt });
      return { CodeDeliveryDetailsList: [] };
    }
    checkEmailFree(users, pool, user, email);
    attempts.count('send:email', `${pool.id}/${user.username}`);
    const keepsOld =
      pool.settings.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate.includes('email');
    const changed = {
      ...user,
      attributes: { ...user.attributes, ...others, ...(keepsOld ? {} : { email, email_verified: 'false' }) },
      modifiedAt,
    };
    users.put(changed);
    if (!pool.settings.AutoVerifiedAttributes.includes('email')) return { CodeDeliveryDetailsList: [] };
    const details = await delivery.sendCode({
      client,
      user: changed,
      address: email,
      purpose: 'email',
      source: 'CustomMessage_UpdateUserAttribute',
      metadata: request.ClientMetadata ?? undefined,
    });
    return { CodeDeliveryDetailsList: [details] };
  },
});
