import { providers } from '../../../schemas/product/providers.ts';
import { randomBytes } from 'node:crypto';
import type { Identity } from '../../domain/account-linking.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';
import { cognitoUserPool, type UserPool } from './user-pool.ts';

/** The user pool with administrator rights, for addresses of accounts. `username` is a user name. */
export interface AccountPool extends Pick<
  UserPool,
  'find' | 'findBySub' | 'link' | 'remove' | 'endSessions'
> {
  /**
   * Sets a verified address. Returns false and changes nothing if another account with a password has the
   * address.
   */
  setAddress(username: string, email: string): Promise<boolean>;
  /** From here on, the password can't be reset by mail. */
  setAddressUnverified(username: string): Promise<void>;
  /** Mails a code for a new password to the account's address. Refused for a disabled account. */
  sendReset(username: string): Promise<void>;
  /** Replaces the password with a random one that nobody knows. */
  discardPassword(username: string): Promise<void>;
  deleteName(username: string): Promise<void>;
  /** Takes a provider's account off. Does nothing if it is linked to no account. */
  unlink(identity: Identity): Promise<void>;
  /**
   * "Deactivates a user profile and revokes all access tokens for the user. A deactivated user can't sign in"
   * (reference). The password can't be reset either: "user will not be able to override this by resetting
   * password" (an answer in amazon-cognito-identity-js issue 373).
   */
  disable(username: string): Promise<void>;
  enable(username: string): Promise<void>;
}

const cognito = once(async () => {
  const sdk = await import('./account-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

export function cognitoAccountPool(poolId: string): AccountPool {
  const user = (username: string) => ({ UserPoolId: poolId, Username: username });
  return {
    ...cognitoUserPool(poolId),

    async setAddress(username, email) {
      const { sdk, client } = await cognito();
      try {
        await client.send(
          new sdk.AdminUpdateUserAttributesCommand({
            ...user(username),
            // Both together: Cognito writes the address at once and sends no code.
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

    async setAddressUnverified(username) {
      const { sdk, client } = await cognito();
      const UserAttributes = [{ Name: 'email_verified', Value: 'false' }];
      await client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user(username), UserAttributes }));
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

    async deleteName(username) {
      const { sdk, client } = await cognito();
      // "To delete an attribute from your user, submit the attribute in your API request with a blank value."
      const UserAttributes = [{ Name: 'name', Value: '' }];
      await client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user(username), UserAttributes }));
    },

    async disable(username) {
      const { sdk, client } = await cognito();
      await client.send(new sdk.AdminDisableUserCommand(user(username)));
    },

    async enable(username) {
      const { sdk, client } = await cognito();
      await client.send(new sdk.AdminEnableUserCommand(user(username)));
    },

    async unlink({ provider, id }) {
      const { sdk, client } = await cognito();
      try {
        await client.send(
          new sdk.AdminDisableProviderForUserCommand({
            UserPoolId: poolId,
            User: {
              ProviderName: providers[provider].poolName,
              ProviderAttributeName: 'Cognito_Subject',
              ProviderAttributeValue: id,
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof sdk.UserNotFoundException)) throw error;
      }
    },
  };
}
