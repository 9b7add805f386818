import {
  CognitoIdentityProviderClient,
  paginateListUsers,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { accountOf, usersWhere } from '../../../functions/adapters/cognito/user-pool.ts';
import { WITH_TRIGGERS } from '../../../functions/adapters/request-limits.ts';
import { type Account, hasPassword, providersOf } from '../../../functions/domain/account-linking.ts';
import type { ProviderKey } from '../../../schemas/product/providers.ts';

/** An account in the user pool, as support shows it. */
export interface SupportedAccount extends Omit<Account, 'browserHash' | 'identities'> {
  email: string;
  name: string | undefined;
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
      accounts.push(...users.map(supported));
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

function supported(user: UserType): SupportedAccount {
  const account = accountOf(user);
  return {
    ...account,
    email: account.email ?? '(no address)',
    name: user.Attributes?.find(({ Name }) => Name === 'name')?.Value,
    providers: providersOf(account),
    hasPassword: hasPassword(account),
  };
}
