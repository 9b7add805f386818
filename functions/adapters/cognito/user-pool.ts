import type {
  CognitoIdentityProviderClient,
  paginateListUsers,
  UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod/mini';
import { providers } from '../../../schemas/product/providers.ts';
import { BROWSER_ATTRIBUTE } from '../../../schemas/sign-up-browser.ts';
import { type Account, type Identity, identityOf, isLinked } from '../../domain/account-linking.ts';
import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';

// Milliseconds. A user waits, and a trigger has five seconds in all. Cognito answers within one second.
const TIME_LIMIT = 3_000;

// "Username" in Cognito's reference.
const USER_NAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;

const cognito = once(async () => {
  const sdk = await import('./user-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
});

/** The users whose attribute is exactly this value, in no order, at most sixty a page. Lags some seconds. */
export async function* usersWhere(
  { paginate, client }: { paginate: typeof paginateListUsers; client: CognitoIdentityProviderClient },
  UserPoolId: string,
  [attribute, value]: readonly [attribute: 'email' | 'sub' | 'cognito:user_status', value: string],
): AsyncGenerator<UserType[]> {
  const Filter = `${attribute} = "${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  for await (const { Users = [] } of paginate({ client }, { UserPoolId, Filter })) yield Users;
}

/** Resolves with undefined if there is no such user. */
async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const { sdk } = await cognito();
  try {
    return await ask();
  } catch (error) {
    if (error instanceof sdk.UserNotFoundException) return undefined;
    throw error;
  }
}

function searchOf(poolId: string) {
  /**
   * Finds an account by user name, or by the address of an account with a password, in upper or lower case. A
   * provider's account has no such alias: the Addresses table knows its user name.
   */
  const find = async (name: string): Promise<Account | undefined> => {
    const { sdk, client } = await cognito();
    const command = new sdk.AdminGetUserCommand({ UserPoolId: poolId, Username: name });
    const user = await unlessMissing(() => client.send(command));
    return user && accountOf({ ...user, Attributes: user.UserAttributes });
  };

  async function* list(filter: Parameters<typeof usersWhere>[2]): AsyncGenerator<Account[]> {
    const { sdk, client } = await cognito();
    const pages = usersWhere({ client, paginate: sdk.paginateListUsers }, poolId, filter);
    for await (const users of pages) yield users.map(accountOf);
  }

  const findBySub = async (sub: string): Promise<Account | undefined> => {
    // The user name of an account with a password is its sub. ListUsers has 30 calls a second, a fixed quota.
    const byName = USER_NAME.test(sub) ? await find(sub) : undefined;
    if (byName) return byName;
    for await (const [account] of list(['sub', sub])) if (account) return account;
    return undefined;
  };

  return { find, list, findBySub };
}

export const userPool = (of: { USER_POOL_ID: string }) => cognitoUserPool(of.USER_POOL_ID);
export type UserPool = ReturnType<typeof cognitoUserPool>;

/** The user pool with administrator rights, for triggers and background functions. */
export function cognitoUserPool(poolId: string) {
  const { find, list, findBySub } = searchOf(poolId);

  return {
    find,
    findBySub,

    has: async (sub: string) => (await findBySub(sub)) !== undefined,

    /** The verified address of the user with this `sub`; undefined without one, and without a user. */
    async addressOf(sub: string) {
      const account = await findBySub(sub);
      return account?.emailVerified ? account.email?.toLowerCase() : undefined;
    },

    /** Links a provider's identity to an account. Resolves with false if they were linked already. */
    async link(identity: Identity, to: Account) {
      if (isLinked(to, identity)) return false;
      const { sdk, client } = await cognito();
      const owner = identityOf(to.username);
      try {
        await client.send(
          new sdk.AdminLinkProviderForUserCommand({
            UserPoolId: poolId,
            // Provider and id identify an account created by a provider; the user name identifies any other.
            DestinationUser: owner
              ? { ProviderName: providers[owner.provider].poolName, ProviderAttributeValue: owner.id }
              : { ProviderName: 'Cognito', ProviderAttributeValue: to.username },
            SourceUser: providerUser(identity),
          }),
        );
        return true;
      } catch (error) {
        // Cognito calls a trigger up to three times, and has one error for every identity that it won't link.
        if (!(error instanceof sdk.InvalidParameterException)) throw error;
        const account = await find(to.username);
        if (!account || !isLinked(account, identity)) throw error;
        return false;
      }
    },

    /** Ends all sessions of the user: revokes every refresh token. */
    async endSessions(username: string) {
      const { sdk, client } = await cognito();
      const command = new sdk.AdminUserGlobalSignOutCommand({ UserPoolId: poolId, Username: username });
      // A deleted user has no session.
      await unlessMissing(() => client.send(command, { abortSignal: AbortSignal.timeout(TIME_LIMIT) }));
    },

    /** Deletes the account. Resolves with whether this call deleted it: false if the account is gone. */
    async remove(username: string) {
      const { sdk, client } = await cognito();
      const command = new sdk.AdminDeleteUserCommand({ UserPoolId: poolId, Username: username });
      return (await unlessMissing(() => client.send(command))) !== undefined;
    },

    /** The accounts whose address was never confirmed, page by page, in no order. */
    unconfirmed: (): AsyncIterable<Account[]> => list(['cognito:user_status', 'UNCONFIRMED']),
  };
}

export const providerUser = ({ provider, id }: Identity) => ({
  ProviderName: providers[provider].poolName,
  ProviderAttributeName: 'Cognito_Subject',
  ProviderAttributeValue: id,
});

/** The attribute `identities`, which Cognito writes as JSON. */
const Identities = z.array(z.object({ providerName: z.string(), userId: z.string() }));

export function accountOf(user: UserType): Account {
  const attribute = (name: string) => user.Attributes?.find(({ Name }) => Name === name)?.Value;
  const username = user.Username ?? '';
  return {
    sub: attribute('sub') ?? username,
    username,
    status: user.UserStatus ?? '',
    enabled: user.Enabled !== false,
    email: attribute('email'),
    emailVerified: attribute('email_verified') === 'true',
    name: attribute('name'),
    browserHash: attribute(BROWSER_ATTRIBUTE),
    createdAt: user.UserCreateDate ?? new Date(0),
    identities: Identities.parse(JSON.parse(attribute('identities') ?? '[]')).flatMap(
      ({ providerName, userId }) => identityOf(`${providerName}_${userId}`) ?? [],
    ),
  };
}
