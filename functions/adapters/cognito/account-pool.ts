import { providers } from '../../../schemas/product/providers.ts';
import { randomBytes } from 'node:crypto';
import type { Identity } from '../../domain/account-linking.ts';
import { BROWSER_SECRET } from '../../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';
import { accountOf, cognitoUserPool } from './user-pool.ts';

const cognito = once(async () => {
  const sdk = await import('./account-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

type UserOf = (username: string) => { UserPoolId: string; Username: string };

const passwordsOf = (user: UserOf) => ({
  /** Sets a password for good, which confirms the account. Refuses as `weak-password`. */
  async setPassword(username: string, Password: string) {
    const { sdk, client } = await cognito();
    await refusing(() =>
      client.send(new sdk.AdminSetUserPasswordCommand({ ...user(username), Password, Permanent: true })),
    );
  },

  /**
   * Confirms an account. Our trigger keeps the password only with the secret of the browser that signed up.
   * False if the account is confirmed already. Refuses as `address-taken`.
   */
  async confirm(username: string, browser: string | undefined) {
    const { sdk, client } = await cognito();
    const metadata = browser !== undefined && { ClientMetadata: { [BROWSER_SECRET]: browser } };
    try {
      await refusing(() =>
        client.send(new sdk.AdminConfirmSignUpCommand({ ...user(username), ...metadata })),
      );
      return true;
    } catch (error) {
      // "User cannot be confirmed. Current status is CONFIRMED"
      if (error instanceof sdk.NotAuthorizedException) return false;
      throw error;
    }
  },

  /** Creates an account with a verified address and a password that nobody knows. Mails nobody. */
  async create(email: string, name: string) {
    const { sdk, client } = await cognito();
    const { User } = await refusing(() =>
      client.send(
        new sdk.AdminCreateUserCommand({
          ...user(email),
          MessageAction: 'SUPPRESS',
          UserAttributes: [
            { Name: 'email', Value: email },
            { Name: 'email_verified', Value: 'true' },
            { Name: 'name', Value: name },
          ],
        }),
      ),
    );
    return accountOf({ ...User });
  },

  /** Replaces the password with a random one that nobody knows. */
  async discardPassword(username: string) {
    const { sdk, client } = await cognito();
    const Password = randomBytes(32).toString('base64url');
    await client.send(new sdk.AdminSetUserPasswordCommand({ ...user(username), Password, Permanent: true }));
  },
});

export const accountPool = (of: { USER_POOL_ID: string }) => cognitoAccountPool(of.USER_POOL_ID);
export type AccountPool = ReturnType<typeof cognitoAccountPool>;

/** The user pool with administrator rights, for addresses and passwords. `username` is a user name. */
export function cognitoAccountPool(poolId: string) {
  const user: UserOf = (username) => ({ UserPoolId: poolId, Username: username });
  return {
    ...cognitoUserPool(poolId),
    ...passwordsOf(user),

    /** Sets a verified address. False, and nothing changes, if another account with a password has it. */
    async setAddress(username: string, email: string) {
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

    /** Marks the address as verified. `name`: replaces the account's name; empty: deletes it. */
    async verify(username: string, name?: string) {
      const { sdk, client } = await cognito();
      const UserAttributes = [
        { Name: 'email_verified', Value: 'true' },
        // "To delete an attribute […], submit the attribute in your API request with a blank value."
        ...(name === undefined ? [] : [{ Name: 'name', Value: name }]),
      ];
      await refusing(() =>
        client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user(username), UserAttributes })),
      );
    },

    async deleteName(username: string) {
      const { sdk, client } = await cognito();
      const UserAttributes = [{ Name: 'name', Value: '' }];
      await client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user(username), UserAttributes }));
    },

    /** Takes a provider's account off. Does nothing if it is linked to no account. */
    async unlink({ provider, id }: Identity) {
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

/** Turns Cognito's errors into refusals. An account that is gone, or new, changed since it was read. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  const { sdk } = await cognito();
  try {
    return await work();
  } catch (error) {
    if (error instanceof sdk.InvalidPasswordException) throw new Refusal('weak-password');
    const isChanged =
      error instanceof sdk.UserNotFoundException || error instanceof sdk.UsernameExistsException;
    const refused = error instanceof sdk.UserLambdaValidationException ? error.message : '';
    if (refused.includes(triggerRefusals.addressProved)) throw new Refusal('address-taken');
    throw isChanged || refused.includes(triggerRefusals.signUpAgain) ? new Refusal('busy') : error;
  }
}
