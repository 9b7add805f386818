import * as z from 'zod/mini';
import { checkAttributes, checkMutable } from '../attributes.ts';
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
    }),
    run: async ({ clock, pools, tokens, users }, request) => {
      const { pool, user, session } = await tokens.bearer(request.AccessToken);
      const written = attributeRecord(request.UserAttributes);
      checkNotRequired(
        pool,
        Object.keys(written).filter((name) => written[name] === ''),
      );
      checkAttributes(pool, pools.client(session.clientId), written);
      checkMutable(pool, Object.keys(written));
      const { email = user.attributes['email'] } = written;
      if (email !== user.attributes['email']) {
        // Cognito would mail a code to the new address.
        throw invalidParameter('The local Cognito changes an address only for administrators.');
      }
      const attributes = { ...user.attributes, ...written };
      users.put({ ...user, attributes, modifiedAt: clock.now().toISOString() });
      return { CodeDeliveryDetailsList: [] };
    },
  }),
};
