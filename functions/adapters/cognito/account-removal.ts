import type { Account } from '../../domain/account-linking.ts';
import { once } from '../once.ts';
import { accountOf } from './user-pool.ts';

/** What deletes a user without the user's token. */
export interface AccountRemoval {
  /** The account with this `sub`. */
  findBySub(sub: string): Promise<Account | undefined>;
  /** Deletes an account by its user name. Does nothing if it is gone. */
  remove(username: string): Promise<void>;
}

const cognito = once(async () => {
  const sdk = await import('./user-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

export const cognitoAccountRemoval = (poolId: string): AccountRemoval => ({
  /**
   * The sub is the user name of an account with a password. Only a provider's account has to be looked for in
   * the list: Cognito allows thirty lists a second, and no more on request.
   */
  async findBySub(sub) {
    const { sdk, client } = await cognito();
    try {
      const user = await client.send(new sdk.AdminGetUserCommand({ UserPoolId: poolId, Username: sub }));
      return accountOf({ ...user, Attributes: user.UserAttributes });
    } catch (error) {
      if (!(error instanceof sdk.UserNotFoundException)) throw error;
    }
    const filter = { UserPoolId: poolId, Filter: `sub = "${sub}"` };
    for await (const { Users = [] } of sdk.paginateListUsers({ client }, filter)) {
      const [user] = Users;
      if (user) return accountOf(user);
    }
    return undefined;
  },

  async remove(username) {
    const { sdk, client } = await cognito();
    try {
      await client.send(new sdk.AdminDeleteUserCommand({ UserPoolId: poolId, Username: username }));
    } catch (error) {
      if (!(error instanceof sdk.UserNotFoundException)) throw error;
    }
  },
});
