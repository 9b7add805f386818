import type { AttributeType } from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { type Account, type Identity, identityOf, isLinked } from '../../domain/account-linking.ts';
import { once } from '../once.ts';

/** The user pool with administrator rights, for triggers and background functions. */
export interface UserPool {
  /**
   * Every account that the pool finds for this address, also in other capitals. The caller compares exactly.
   */
  findByEmail(email: string): Promise<Account[]>;
  /** Links a provider's identity to an account. Resolves with false if they were linked already. */
  link(identity: Identity, to: Account): Promise<boolean>;
  /** Whether the pool has a user with this `sub`. */
  has(sub: string): Promise<boolean>;
  /** The verified address of the user with this `sub`; undefined without one, and without a user. */
  addressOf(sub: string): Promise<string | undefined>;
  /** Ends all sessions of the user: revokes every refresh token. */
  endSessions(username: string): Promise<void>;
}

// Milliseconds. A user waits, and a trigger has five seconds in all. Cognito answers within one.
const TIME_LIMIT = 3_000;

const cognito = once(async () => {
  const sdk = await import('./user-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

export function cognitoUserPool(poolId: string): UserPool {
  /** `name` is a user name, or the address of an account with a password in any capitals. */
  const find = async (name: string): Promise<Account | undefined> => {
    const { sdk, client } = await cognito();
    try {
      const user = await client.send(new sdk.AdminGetUserCommand({ UserPoolId: poolId, Username: name }));
      return accountOf({ ...user, Attributes: user.UserAttributes });
    } catch (error) {
      if (error instanceof sdk.UserNotFoundException) return undefined;
      throw error;
    }
  };

  /**
   * Also finds providers' accounts, which aren't found by their address. The filter may be case-sensitive.
   */
  const list = async (attribute: 'email' | 'sub', value: string): Promise<Account[]> => {
    const { sdk, client } = await cognito();
    const accounts: Account[] = [];
    const pages = sdk.paginateListUsers(
      { client },
      { UserPoolId: poolId, Filter: `${attribute} = "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` },
    );
    for await (const { Users = [] } of pages) accounts.push(...Users.map(accountOf));
    return accounts;
  };

  return {
    async findByEmail(email) {
      const [byName, ...listed] = await Promise.all([
        find(email),
        ...[...new Set([email, asciiLowerCase(email)])].map((address) => list('email', address)),
      ]);
      const accounts = [...(byName ? [byName] : []), ...listed.flat()];
      return [...new Map(accounts.map((account) => [account.username, account])).values()];
    },

    async link(identity, to) {
      if (isLinked(to, identity)) return false;
      const { sdk, client } = await cognito();
      const owner = identityOf(to.username);
      try {
        await client.send(
          new sdk.AdminLinkProviderForUserCommand({
            UserPoolId: poolId,
            // An account made by a provider is named by provider and id, any other by its user name.
            DestinationUser: owner
              ? { ProviderName: owner.provider, ProviderAttributeValue: owner.id }
              : { ProviderName: 'Cognito', ProviderAttributeValue: to.username },
            SourceUser: {
              ProviderName: identity.provider,
              ProviderAttributeName: 'Cognito_Subject',
              ProviderAttributeValue: identity.id,
            },
          }),
        );
        return true;
      } catch (error) {
        // Cognito calls a trigger up to three times, and uses one error for everything that it won't link.
        if (!(error instanceof sdk.InvalidParameterException)) throw error;
        const account = await find(to.username);
        if (!account || !isLinked(account, identity)) throw error;
        return false;
      }
    },

    // By a filter, because the user name of a provider's account isn't its sub.
    has: async (sub) => (await list('sub', sub)).length > 0,

    addressOf: async (sub) =>
      (await list('sub', sub)).find(({ emailVerified }) => emailVerified)?.email?.toLowerCase(),

    async endSessions(username) {
      const { sdk, client } = await cognito();
      const command = new sdk.AdminUserGlobalSignOutCommand({ UserPoolId: poolId, Username: username });
      await client.send(command, { abortSignal: AbortSignal.timeout(TIME_LIMIT) });
    },
  };
}

/** The `identities` attribute, which Cognito writes as JSON. */
const Identities = z.array(z.object({ providerName: z.string(), userId: z.string() }));

function accountOf(user: {
  Username?: string | undefined;
  UserStatus?: string | undefined;
  UserCreateDate?: Date | undefined;
  Attributes?: AttributeType[] | undefined;
}): Account {
  const attribute = (name: string) => user.Attributes?.find(({ Name }) => Name === name)?.Value;
  return {
    username: user.Username ?? '',
    status: user.UserStatus ?? '',
    email: attribute('email'),
    emailVerified: attribute('email_verified') === 'true',
    createdAt: user.UserCreateDate ?? new Date(0),
    identities: Identities.parse(JSON.parse(attribute('identities') ?? '[]')).flatMap(
      ({ providerName, userId }) => identityOf(`${providerName}_${userId}`) ?? [],
    ),
  };
}
