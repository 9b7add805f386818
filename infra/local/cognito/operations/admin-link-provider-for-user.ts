import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';

const Provider = z.object({
  ProviderName: z.string().check(z.minLength(1, 'Member must have length greater than or equal to 1')),
  ProviderAttributeName: z.optional(z.string()),
  ProviderAttributeValue: z
    .string()
    .check(z.minLength(1, 'Member must have length greater than or equal to 1')),
});

/** Lets an account at an identity provider, which hasn't signed in here before, sign in as the given user. */
export const adminLinkProviderForUser = operation({
  caller: 'signed',
  request: z.object({ UserPoolId: member.UserPoolId, DestinationUser: Provider, SourceUser: Provider }),
  run: ({ clock, pools, users }, { UserPoolId, DestinationUser, SourceUser }) => {
    const pool = pools.pool(UserPoolId);
    if (SourceUser.ProviderAttributeName !== 'Cognito_Subject') {
      throw new CognitoError('InvalidParameterException', 'The local Cognito links by Cognito_Subject only.');
    }
    const user = users.existing(pool, DestinationUser.ProviderAttributeValue);
    const source = { providerName: SourceUser.ProviderName, userId: SourceUser.ProviderAttributeValue };
    if (users.byIdentity(pool, source)) {
      throw new CognitoError('InvalidParameterException', 'SourceUser is already linked to DestinationUser');
    }
    const now = clock.now();
    const identities = [...user.identities, { ...source, dateCreated: now.getTime() }];
    users.put({ ...user, identities, modifiedAt: now.toISOString() });
    return {};
  },
});
