import {
  CognitoIdentityProviderClient,
  paginateListUsers,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod/mini';
import { identitiesIn } from '../../../functions/adapters/cognito/identities.ts';
import { usersWhere } from '../../../functions/adapters/cognito/users-where.ts';
import { WITH_TRIGGERS } from '../../../functions/adapters/request-limits.ts';
import { identityOf } from '../../../functions/domain/account-linking.ts';
import { type ProviderKey, providerInPool } from '../../../schemas/product/providers.ts';

/** An account in the user pool, with the fields that support needs. */
export interface SupportedAccount {
  sub: string;
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | undefined;
  /** Cognito's `UserStatus`. */
  status: string;
  enabled: boolean;
  createdAt: Date;
  /** The providers that the account can sign in with. */
  providers: ProviderKey[];
  hasPassword: boolean;
}

/** The user pool. Cognito's list lags some seconds behind. */
export interface Accounts {
  /**
   * All accounts with this address: the account with a password, and accounts of providers that aren't linked
   * to it.
   */
  withAddress(email: string): Promise<SupportedAccount[]>;
  withSub(sub: string): Promise<SupportedAccount | undefined>;
}

export function poolAccounts(poolId: string): Accounts {
  const client = new CognitoIdentityProviderClient(WITH_TRIGGERS);
  const cognito = { client, paginate: paginateListUsers };
  const listed = async (attribute: 'email' | 'sub', value: string): Promise<SupportedAccount[]> => {
    const accounts: SupportedAccount[] = [];
    for await (const users of usersWhere(cognito, poolId, [attribute, value])) {
      accounts.push(...users.map(accountOf));
    }
    return accounts;
  };
  return {
    async withAddress(email) {
      // The filter is case-sensitive, and a provider's account keeps its capitals.
      const spellings = new Set([email, email.toLowerCase()]);
      const found = await Promise.all([...spellings].map((spelling) => listed('email', spelling)));
      return [...new Map(found.flat().map((account) => [account.sub, account])).values()];
    },
    withSub: async (sub) => (await listed('sub', sub))[0],
  };
}

const Attributes = z.object({
  sub: z.string(),
  email: z._default(z.string(), '(no address)'),
  email_verified: z._default(z.string(), 'false'),
  name: z.optional(z.string()),
  identities: z.optional(z.string()),
});

function accountOf({
  Username,
  Attributes: list,
  UserStatus,
  Enabled,
  UserCreateDate,
}: UserType): SupportedAccount {
  const attributes = Attributes.parse(
    Object.fromEntries((list ?? []).map(({ Name, Value }) => [Name, Value])),
  );
  const linked = identitiesIn(attributes.identities).flatMap(
    ({ providerName }) => providerInPool(providerName) ?? [],
  );
  const username = z.string().parse(Username);
  const own = identityOf(username)?.provider;
  return {
    sub: attributes.sub,
    username,
    email: attributes.email,
    name: attributes.name,
    emailVerified: attributes.email_verified === 'true',
    status: UserStatus ?? 'UNKNOWN',
    enabled: Enabled !== false,
    createdAt: UserCreateDate ?? new Date(0),
    providers: [...new Set([own ?? [], linked].flat())],
    hasPassword: UserStatus !== 'EXTERNAL_PROVIDER',
  };
}
