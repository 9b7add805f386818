import { providerInPool } from '../../../schemas/product/providers.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';
import { identitiesIn } from './identities.ts';
import type { Profile } from '../../domain/profile.ts';
import type * as CognitoSdk from './session-user-sdk.ts';

/**
 * The user of an access token. Each call refuses as `not-signed-in` if the token was revoked or its user
 * deleted: the authorizer checks only signature and dates, and lets such a token pass until it expires.
 */
export interface SessionUser {
  profile(accessToken: string): Promise<Profile>;
  /**
   * Refuses as `wrong-password`, `weak-password`, `too-many-tries`, or `no-password` if the account has none.
   */
  changePassword(accessToken: string, passwords: { current: string; proposed: string }): Promise<void>;
}

// "PasswordType" in Cognito's reference: no space at either end. Cognito refuses any other password as a
// malformed request.
const passwordShape = /^\S.*\S$/;

export function cognitoSessionUser(): SessionUser {
  const cognito = once(async () => {
    const sdk = await import('./session-user-sdk.ts');
    return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
  });

  const profile: SessionUser['profile'] = async (accessToken) => {
    const { sdk, client } = await cognito();
    try {
      const { Username, UserAttributes = [] } = await client.send(
        new sdk.GetUserCommand({ AccessToken: accessToken }),
      );
      const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
      return {
        username: Username ?? '',
        email: attribute('email')?.toLowerCase(),
        emailVerified: attribute('email_verified') === 'true',
        name: attribute('name'),
        providers: identitiesIn(attribute('identities')).flatMap(
          ({ providerName }) => providerInPool(providerName) ?? [],
        ),
        // The user name of an account created by sign-up is its sub. Any other user name names the provider.
        hasPassword: Username === attribute('sub'),
      };
    } catch (error) {
      if (error instanceof sdk.NotAuthorizedException || error instanceof sdk.UserNotFoundException) {
        throw new Refusal('not-signed-in');
      }
      throw error;
    }
  };

  return {
    profile,

    async changePassword(accessToken, { current, proposed }) {
      const { sdk, client } = await cognito();
      // A password of another shape can't be the current password.
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
        throw await refusalOfChange(sdk, error, () => profile(accessToken));
      }
    },
  };
}

/** The refusal that an error of ChangePassword stands for, or the error itself. */
async function refusalOfChange(
  sdk: typeof CognitoSdk,
  error: unknown,
  profile: () => Promise<Profile>,
): Promise<unknown> {
  if (error instanceof sdk.InvalidPasswordException) return new Refusal('weak-password');
  if (error instanceof sdk.LimitExceededException || error instanceof sdk.TooManyRequestsException) {
    return new Refusal('too-many-tries');
  }
  if (error instanceof sdk.UserNotFoundException) return new Refusal('not-signed-in');
  if (!(error instanceof sdk.NotAuthorizedException)) return error;
  // Cognito uses this type for a dead token, a missing password, a wrong password and a lock-out. Reading the
  // profile tells the first two apart. Only its message identifies the lock-out; if Cognito changes the
  // message, the answer is still a refusal.
  if (/attempts exceeded/i.test(error.message)) return new Refusal('too-many-tries');
  const { hasPassword } = await profile();
  return new Refusal(hasPassword ? 'wrong-password' : 'no-password');
}
