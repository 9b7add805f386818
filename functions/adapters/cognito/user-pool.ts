import type { AttributeType } from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { type Account, type Identity, identityOf, isLinked } from '../../domain/account-linking.ts';
import { once } from '../once.ts';

/** The users of a pool, as far as its triggers and those who bill ask for them. */
export interface PoolUsers {
  /** Whatever the pool finds for this address; which of it is meant is for the caller to say. */
  withAddress(email: string): Promise<Account[]>;
  /** From now on this identity signs in as this account. Resolves with whether it didn't before; doing it again changes nothing. */
  link(identity: Identity, to: Account): Promise<boolean>;
  /** Whether somebody of this `sub` is there, whoever signs them in. */
  has(sub: string): Promise<boolean>;
  /** Ends every session there is, on whatever device: no token of before is good for a new one. */
  endSessions(username: string): Promise<void>;
}

// Whoever resets a password waits for it, and a trigger has five seconds in all. Cognito answers within one.
const PATIENCE = 3_000;

const cognito = once(async () => {
  const sdk = await import('@aws-sdk/client-cognito-identity-provider');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

export function poolUsers(poolId: string): PoolUsers {
  /** `name`: a user name, or the address of an account with a password, in any case. */
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

  /** Finds the accounts of providers too, which don't answer to their address; Cognito doesn't say that it minds no capitals. */
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
    async withAddress(email) {
      const [byName, ...listed] = await Promise.all([
        find(email),
        ...[...new Set([email, asciiLowerCase(email)])].map((one) => list('email', one)),
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
            // An account that a provider made goes by the provider's name and id, any other by its user name.
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
        // Cognito calls a trigger up to three times, perhaps two at once, and has one word for all that it won't link.
        if (!(error instanceof sdk.InvalidParameterException)) throw error;
        const account = await find(to.username);
        if (!account || !isLinked(account, identity)) throw error;
        return false;
      }
    },

    // By the list, because a provider's user has another name than its sub.
    has: async (sub) => (await list('sub', sub)).length > 0,

    async endSessions(username) {
      const { sdk, client } = await cognito();
      const command = new sdk.AdminUserGlobalSignOutCommand({ UserPoolId: poolId, Username: username });
      await client.send(command, { abortSignal: AbortSignal.timeout(PATIENCE) });
    },
  };
}

/** The `identities` attribute: JSON, which Cognito writes. */
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
