import * as z from 'zod/mini';
import { CognitoError, invalidParameter, userDoesNotExist } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { Parts } from '../parts.ts';
import type { UserPool } from '../pools.ts';
import type { Identity, User } from '../users.ts';

const Provider = z.object({
  ProviderName: z.string().check(z.minLength(1, 'Member must have length greater than or equal to 1')),
  ProviderAttributeName: z.optional(z.string()),
  ProviderAttributeValue: z
    .string()
    .check(z.minLength(1, 'Member must have length greater than or equal to 1')),
});

// "Linking federated users to an existing user profile".
const MOST_IDENTITIES = 5;

export const linkedProviders = {
  /** Links a provider's account that hasn't signed in yet to an existing user. */
  AdminLinkProviderForUser: operation({
    caller: 'signed',
    request: z.object({ UserPoolId: member.UserPoolId, DestinationUser: Provider, SourceUser: Provider }),
    run: (parts, { UserPoolId, DestinationUser, SourceUser }) => {
      const { clock, pools, users } = parts;
      const pool = pools.pool(UserPoolId);
      if (SourceUser.ProviderAttributeName !== 'Cognito_Subject') {
        throw invalidParameter('The local Cognito links by Cognito_Subject only.');
      }
      const provider = pools.provider(pool.id, SourceUser.ProviderName);
      if (!provider) throw invalidParameter('Invalid SourceUser: its provider is none of the pool.');
      const user = destinationUser(parts, pool, DestinationUser);
      const source = { providerName: provider.name, userId: SourceUser.ProviderAttributeValue };
      const holder = users.byIdentity(pool, source);
      if (holder?.username === user.username) {
        throw invalidParameter('SourceUser is already linked to DestinationUser');
      }
      if (holder) {
        throw invalidParameter(
          'Merging is not currently supported, provide a SourceUser that has not been signed up in order to link',
        );
      }
      if (user.identities.length >= MOST_IDENTITIES) {
        throw new CognitoError('LimitExceededException', 'The user has as many identities as one may have.');
      }
      const now = clock.now();
      const linked = {
        ...source,
        providerType: provider.type,
        issuer: null,
        primary: false,
        dateCreated: now.getTime(),
      };
      users.put({ ...user, identities: [...user.identities, linked], modifiedAt: now.toISOString() });
      return {};
    },
  }),

  /**
   * "If the user to deactivate is a linked external IdP user, any link between that user and an existing user
   * is removed." The reference doesn't say what happens to a user at the provider that made it.
   */
  AdminDisableProviderForUser: operation({
    caller: 'signed',
    request: z.object({
      UserPoolId: member.UserPoolId,
      User: z.object({
        ProviderName: z.string(),
        ProviderAttributeName: z.literal('Cognito_Subject', 'Member must be Cognito_Subject'),
        ProviderAttributeValue: z.string(),
      }),
    }),
    run: ({ clock, pools, users }, { UserPoolId, User }) => {
      const pool = pools.pool(UserPoolId);
      const { ProviderName: providerName, ProviderAttributeValue: userId } = User;
      const user = users.byIdentity(pool, { providerName, userId });
      if (!user) throw userDoesNotExist();
      const isOwn = ({ primary, ...identity }: Identity) =>
        primary && identity.providerName === providerName && identity.userId === userId;
      if (user.status === 'EXTERNAL_PROVIDER' && user.identities.some(isOwn)) {
        throw invalidParameter('The local Cognito disables no account at the provider that made it.');
      }
      const identities = user.identities.filter(
        (identity) => identity.providerName !== providerName || identity.userId !== userId,
      );
      users.put({ ...user, identities, modifiedAt: clock.now().toISOString() });
      return {};
    },
  }),
};

/** The user to link to, by user name if the user has a password, otherwise by provider and account id. */
function destinationUser(
  { users }: Parts,
  pool: UserPool,
  { ProviderName, ProviderAttributeValue }: z.infer<typeof Provider>,
): User {
  const user =
    ProviderName === 'Cognito'
      ? users.get(pool, ProviderAttributeValue)
      : users.byIdentity(pool, { providerName: ProviderName, userId: ProviderAttributeValue });
  if (!user || (ProviderName === 'Cognito' && user.status === 'EXTERNAL_PROVIDER')) throw userDoesNotExist();
  return user;
}
