import * as z from 'zod/mini';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';

/** Whoever an access token speaks for, as the pool knows them. */
export interface Profile {
  /** In lower case; undefined where the pool has none. */
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  /** Whom they sign in with beside, or instead of, a password. */
  providers: string[];
  /** False for somebody who has only ever come by way of a provider. */
  hasPassword: boolean;
}

/**
 * Accounts in the Cognito user pool, as far as functions ask for them. Each call refuses as `not-signed-in` where the
 * token was revoked or its user deleted since it was issued: the authorizer, which reads signatures and dates only,
 * lets such a token pass until it expires.
 */
export interface Accounts {
  /** The verified address, in lower case; undefined without one. */
  emailOf(accessToken: string): Promise<string | undefined>;
  profileOf(accessToken: string): Promise<Profile>;
  /** Refuses as `wrong-password`, `weak-password` or `too-many-tries`, and as `no-password` where there is none to change. */
  changePassword(accessToken: string, passwords: { current: string; proposed: string }): Promise<void>;
  /** Ends every session of the account, the caller's too. */
  endSessions(accessToken: string): Promise<void>;
  /** Does nothing where the account is gone. */
  deleteUser(accessToken: string): Promise<void>;
}

const cognito = once(async () => {
  const sdk = await import('@aws-sdk/client-cognito-identity-provider');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

// API Gateway gives up after 30 seconds. A caller whose password is changed must hear of it before.
const SIGN_OUT_TIME_LIMIT = 8_000;

// "PasswordType" in Cognito's reference: visible at both ends. Cognito refuses another one as a malformed request, in
// words of its own.
const passwordShape = /^\S.*\S$/;

const Identities = z.array(z.object({ providerName: z.string() }));

export const accounts: Accounts = {
  async emailOf(accessToken) {
    const { email, emailVerified } = await accounts.profileOf(accessToken);
    return emailVerified ? email : undefined;
  },

  async profileOf(accessToken) {
    const { sdk, client } = await cognito();
    try {
      const { Username, UserAttributes = [] } = await client.send(
        new sdk.GetUserCommand({ AccessToken: accessToken }),
      );
      const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
      return {
        email: attribute('email')?.toLowerCase(),
        emailVerified: attribute('email_verified') === 'true',
        name: attribute('name'),
        providers: providersIn(attribute('identities')),
        // Who comes by way of a provider is named after it; who has signed up here, by the pool.
        hasPassword: Username === attribute('sub'),
      };
    } catch (error) {
      if (error instanceof sdk.NotAuthorizedException || error instanceof sdk.UserNotFoundException) {
        throw new Refusal('not-signed-in');
      }
      throw error;
    }
  },

  async changePassword(accessToken, { current, proposed }) {
    const { sdk, client } = await cognito();
    // What isn't shaped like a password isn't anybody's.
    if (!passwordShape.test(current)) throw new Refusal('wrong-password');
    if (!passwordShape.test(proposed)) throw new Refusal('weak-password');
    try {
      await client.send(
        new sdk.ChangePasswordCommand({
          AccessToken: accessToken,
          PreviousPassword: current,
          ProposedPassword: proposed,
        }),
      );
    } catch (error) {
      if (error instanceof sdk.InvalidPasswordException) throw new Refusal('weak-password');
      if (error instanceof sdk.LimitExceededException || error instanceof sdk.TooManyRequestsException) {
        throw new Refusal('too-many-tries');
      }
      if (error instanceof sdk.UserNotFoundException) throw new Refusal('not-signed-in');
      if (!(error instanceof sdk.NotAuthorizedException)) throw error;
      // One type for many things. The words of it are no contract, so a dead token and an account without a password are
      // told apart by asking; the lock-out can't be asked for, and misread it is still a refusal.
      if (/attempts exceeded/i.test(error.message)) throw new Refusal('too-many-tries');
      const { hasPassword } = await accounts.profileOf(accessToken);
      throw new Refusal(hasPassword ? 'wrong-password' : 'no-password');
    }
  },

  async endSessions(accessToken) {
    const { sdk, client } = await cognito();
    const command = new sdk.GlobalSignOutCommand({ AccessToken: accessToken });
    try {
      await client.send(command, { abortSignal: AbortSignal.timeout(SIGN_OUT_TIME_LIMIT) });
    } catch (error) {
      if (error instanceof sdk.NotAuthorizedException) throw new Refusal('not-signed-in');
      throw error;
    }
  },

  async deleteUser(accessToken) {
    const { sdk, client } = await cognito();
    try {
      await client.send(new sdk.DeleteUserCommand({ AccessToken: accessToken }));
    } catch (error) {
      if (error instanceof sdk.UserNotFoundException) return;
      if (error instanceof sdk.NotAuthorizedException) throw new Refusal('not-signed-in');
      throw error;
    }
  },
};

/** `identities` is JSON, a list with an entry for each provider that leads to this account. */
function providersIn(identities: string | undefined): string[] {
  const parsed = Identities.safeParse(JSON.parse(identities ?? '[]'));
  return parsed.success ? parsed.data.map(({ providerName }) => providerName) : [];
}
