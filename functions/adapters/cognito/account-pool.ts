import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../once.ts';

/** An account, as far as its address and the ways to sign in to it go. */
export interface PooledAccount {
  username: string;
  /** In lower case. */
  email: string | undefined;
  /** Whether the account was made by sign-up, and its address was never confirmed. */
  isUnconfirmed: boolean;
  /** The provider accounts that can sign in to it. */
  identities: { provider: string; id: string }[];
}

/** The user pool with administrator rights, for addresses of accounts. `username` is a user name. */
export interface AccountPool {
  /** By user name, or by the address of an account with a password. */
  find(name: string): Promise<PooledAccount | undefined>;
  /** Sets a verified address. False, and nothing is changed, if another account with a password has it. */
  setAddress(username: string, email: string): Promise<boolean>;
  /** Nobody can reset the password by mail from here on. */
  distrustAddress(username: string): Promise<void>;
  /** Does nothing if the account is gone. */
  delete(username: string): Promise<void>;
  /** Mails a code for a new password to the account's address. */
  sendReset(username: string): Promise<void>;
  /** Replaces the password by one that nobody knows. */
  discardPassword(username: string): Promise<void>;
  unlink(identity: { provider: string; id: string }): Promise<void>;
  /** Revokes every token. */
  endSessions(username: string): Promise<void>;
}

const cognito = once(async () => {
  const sdk = await import('./account-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

const Identities = z.array(z.object({ providerName: z.string(), userId: z.string() }));

export function cognitoAccountPool(poolId: string): AccountPool {
  const user = (username: string) => ({ UserPoolId: poolId, Username: username });
  return {
    find: (name) => findAccount(user(name)),

    async setAddress(username, email) {
      const { sdk, client } = await cognito();
      try {
        await client.send(
          new sdk.AdminUpdateUserAttributesCommand({
            ...user(username),
            // Together: the address is written at once, and Cognito sends no code.
            UserAttributes: [
              { Name: 'email', Value: email },
              { Name: 'email_verified', Value: 'true' },
            ],
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof sdk.AliasExistsException) return false;
        throw error;
      }
    },

    async distrustAddress(username) {
      const { sdk, client } = await cognito();
      const UserAttributes = [{ Name: 'email_verified', Value: 'false' }];
      await client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user(username), UserAttributes }));
    },

    async delete(username) {
      const { sdk, client } = await cognito();
      try {
        await client.send(new sdk.AdminDeleteUserCommand(user(username)));
      } catch (error) {
        if (!(error instanceof sdk.UserNotFoundException)) throw error;
      }
    },

    async sendReset(username) {
      const { sdk, client } = await cognito();
      await client.send(new sdk.AdminResetUserPasswordCommand(user(username)));
    },

    async discardPassword(username) {
      const { sdk, client } = await cognito();
      const Password = randomBytes(32).toString('base64url');
      await client.send(
        new sdk.AdminSetUserPasswordCommand({ ...user(username), Password, Permanent: true }),
      );
    },

    async unlink({ provider, id }) {
      const { sdk, client } = await cognito();
      await client.send(
        new sdk.AdminDisableProviderForUserCommand({
          UserPoolId: poolId,
          User: {
            ProviderName: provider,
            ProviderAttributeName: 'Cognito_Subject',
            ProviderAttributeValue: id,
          },
        }),
      );
    },

    async endSessions(username) {
      const { sdk, client } = await cognito();
      await client.send(new sdk.AdminUserGlobalSignOutCommand(user(username)));
    },
  };
}

async function findAccount(user: {
  UserPoolId: string;
  Username: string;
}): Promise<PooledAccount | undefined> {
  const { sdk, client } = await cognito();
  try {
    const { Username, UserStatus, UserAttributes } = await client.send(new sdk.AdminGetUserCommand(user));
    const attribute = (key: string) => UserAttributes?.find(({ Name }) => Name === key)?.Value;
    return {
      username: Username ?? user.Username,
      email: attribute('email')?.toLowerCase(),
      isUnconfirmed: UserStatus === 'UNCONFIRMED',
      identities: Identities.parse(JSON.parse(attribute('identities') ?? '[]')).map(
        ({ providerName, userId }) => ({ provider: providerName, id: userId }),
      ),
    };
  } catch (error) {
    if (error instanceof sdk.UserNotFoundException) return undefined;
    throw error;
  }
}
