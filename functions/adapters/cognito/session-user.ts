import { knownAccount } from '../../domain/profile.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';

/** The user of an access token. */
export function cognitoSessionUser() {
  const cognito = once(async () => {
    const sdk = await import('./session-user-sdk.ts');
    return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
  });

  return {
    /** Refuses a revoked token, and a deleted user's, as `not-signed-in`: the authorizer can't tell them. */
    async account(accessToken: string) {
      const { sdk, client } = await cognito();
      try {
        const { Username = '', UserAttributes = [] } = await client.send(
          new sdk.GetUserCommand({ AccessToken: accessToken }),
        );
        const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
        return knownAccount({
          username: Username,
          email: attribute('email')?.toLowerCase(),
          emailVerified: attribute('email_verified') === 'true',
        });
      } catch (error) {
        if (error instanceof sdk.NotAuthorizedException || error instanceof sdk.UserNotFoundException) {
          throw new Refusal('not-signed-in');
        }
        throw error;
      }
    },
  };
}
export type SessionUser = ReturnType<typeof cognitoSessionUser>;
