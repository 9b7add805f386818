import { randomBytes } from 'node:crypto';
import type { Identity } from '../../domain/account-linking.ts';
import { BROWSER_SECRET } from '../../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';
import { accountOf, cognitoUserPool, providerUser } from './user-pool.ts';

const cognito = once(async () => {
  const sdk = await import('./account-pool-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

/** A user in the parameters of Cognito's calls. */
type User = Record<'UserPoolId' | 'Username', string>;

async function setPassword(user: User, Password: string): Promise<void> {
  const { sdk, client } = await cognito();
  await client.send(new sdk.AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }));
}

const attributesOf = (attributes: Record<string, string>) =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));

async function setAttributes(user: User, attributes: Record<string, string>): Promise<void> {
  const { sdk, client } = await cognito();
  const UserAttributes = attributesOf(attributes);
  await client.send(new sdk.AdminUpdateUserAttributesCommand({ ...user, UserAttributes }));
}

export const accountPool = (of: { USER_POOL_ID: string }) => cognitoAccountPool(of.USER_POOL_ID);
export type AccountPool = ReturnType<typeof cognitoAccountPool>;

/** The user pool with administrator rights, for addresses and passwords. `username` is a user name. */
export function cognitoAccountPool(poolId: string) {
  const user = (username: string): User => ({ UserPoolId: poolId, Username: username });
  return {
    ...cognitoUserPool(poolId),

    /** Sets a password for good, which confirms the account. Refuses as `weak-password`. */
    setPassword: (username: string, password: string) =>
      refusing(() => setPassword(user(username), password)),

    /** Replaces the password with a random one that nobody knows. */
    discardPassword: (username: string) => setPassword(user(username), randomBytes(32).toString('base64url')),

    /**
     * Confirms an account. Our trigger keeps the password only with the secret of the browser that signed up.
     * False if the account is confirmed already. Refuses as `address-taken`.
     */
    async confirm(username: string, browser: string | undefined) {
      const { sdk, client } = await cognito();
      const metadata = browser !== undefined && { ClientMetadata: { [BROWSER_SECRET]: browser } };
      const command = new sdk.AdminConfirmSignUpCommand({ ...user(username), ...metadata });
      try {
        await refusing(() => client.send(command));
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
      const UserAttributes = attributesOf({ email, email_verified: 'true', name });
      const of = { ...user(email), MessageAction: 'SUPPRESS' as const, UserAttributes };
      const { User } = await refusing(() => client.send(new sdk.AdminCreateUserCommand(of)));
      return accountOf({ ...User });
    },

    /** Sets a verified address. False, and nothing changes, if another account with a password has it. */
    async setAddress(username: string, email: string) {
      const { sdk } = await cognito();
      try {
        // Both together: Cognito writes the address at once and sends no code.
        await setAttributes(user(username), { email, email_verified: 'true' });
        return true;
      } catch (error) {
        if (error instanceof sdk.AliasExistsException) return false;
        throw error;
      }
    },

    /** Marks the address as verified. `name`: replaces the account's name; empty: deletes it. */
    verify: (username: string, name?: string) =>
      refusing(() =>
        setAttributes(user(username), { email_verified: 'true', ...(name !== undefined && { name }) }),
      ),

    /** "To delete an attribute […], submit the attribute in your API request with a blank value." */
    deleteName: (username: string) => setAttributes(user(username), { name: '' }),

    /** Takes a provider's account off. Does nothing if it is linked to no account. */
    async unlink(identity: Identity) {
      const { sdk, client } = await cognito();
      const of = { UserPoolId: poolId, User: providerUser(identity) };
      try {
        await client.send(new sdk.AdminDisableProviderForUserCommand(of));
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
