import { providerInPool } from '../../../schemas/product/providers.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { QUICK } from '../request-limits.ts';
import { identitiesIn } from './identities.ts';
import type { Profile } from '../../domain/profile.ts';

/** The user of an access token. */
export function cognitoSessionUser() {
  const cognito = once(async () => {
    const sdk = await import('./session-user-sdk.ts');
    return { sdk, client: new sdk.CognitoIdentityProviderClient(QUICK) };
  });

  /** Refuses a revoked token, and a deleted user's, as `not-signed-in`: the authorizer can't tell them. */
  const profile = async (accessToken: string): Promise<Profile> => {
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

  return { profile };
}
export type SessionUser = ReturnType<typeof cognitoSessionUser>;
