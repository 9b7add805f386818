import * as z from 'zod/mini';
import { checkAttributes, checkEmailFree, checkMutable } from '../attributes.ts';
import { invalidParameter } from '../errors.ts';
import { attributeRecord, member, operation } from '../operation.ts';
import type { UserPool } from '../pools.ts';
import { readableAttributes } from '../readable-attributes.ts';
import { attributeList } from '../users.ts';

/** Refuses to remove attributes that the pool requires. An empty value removes an attribute too. */
function checkNotRequired(pool: UserPool, removed: readonly string[]): void {
  for (const { Name, Required } of pool.settings.Schema) {
    if (Required && removed.includes(Name)) {
      throw invalidParameter(`user.${Name}: Required attribute cannot be deleted.`);
    }
  }
}

export const attributeOperations = {
  GetUser: operation({
    request: z.object({ AccessToken: member.Token }),
    run: async ({ pools, tokens }, { AccessToken }) => {
      const { user, session } = await tokens.bearer(AccessToken);
      const shown = readableAttributes(pools.client(session.clientId), user);
      return { Username: user.username, UserAttributes: attributeList(shown) };
    },
  }),

  UpdateUserAttributes: operation({
    request: z.object({
      AccessToken: member.Token,
      UserAttributes: member.Attributes,
      ClientMetadata: member.Metadata,
    }),
    run: async ({ clock, delivery, pools, tokens, users }, request) => {
      const { pool, user, session } = await tokens.bearer(request.AccessToken);
      const client = pools.client(session.clientId);
      const written = attributeRecord(request.UserAttributes);
      checkNotRequired(
        pool,
        Object.keys(written).filter((name) => written[name] === ''),
      );
      checkAttributes(pool, client, written);
      checkMutable(pool, Object.keys(written));
      const { email, ...others } = written;
      const modifiedAt = clock.now().toISOString();
      if (email === undefined || email === user.attributes['email']) {
        users.put({ ...user, attributes: { ...user.attributes, ...others }, modifiedAt });
        return { CodeDeliveryDetailsList: [] };
      }
      checkEmailFree(users, pool, user, email);
      // The old address stays until the code is entered.
      const changed = { ...user, attributes: { ...user.attributes, ...others }, modifiedAt };
      users.put(changed);
      const details = await delivery.sendCode({
        client,
        user: changed,
        address: email,
        source: 'CustomMessage_UpdateUserAttribute',
        metadata: request.ClientMetadata,
      });
      return { CodeDeliveryDetailsList: [details] };
    },
  }),

  VerifyUserAttribute: operation({
    request: z.object({
      AccessToken: member.Token,
      AttributeName: z.literal('email', 'Member must satisfy enum value set: [email]'),
      Code: member.ConfirmationCode,
    }),
    run: async ({ clock, codes, tokens, users }, request) => {
      const { pool, user } = await tokens.bearer(request.AccessToken);
      const email = codes.redeem(user, 'email', request.Code);
      checkEmailFree(users, pool, user, email);
      const attributes = { ...user.attributes, email, email_verified: 'true' };
      users.put({ ...user, attributes, modifiedAt: clock.now().toISOString() });
      return {};
    },
  }),
};
