import { Refusal } from '../refusal.ts';
import { once } from './once.ts';

/** Accounts in the Cognito user pool, as far as functions ask for them. */
export interface Accounts {
  /**
   * The verified address of whoever the access token speaks for, in lower case; undefined without one. Refuses as
   * `not-signed-in` where the token was revoked or its user deleted since it was issued: the authorizer,
   * which reads signatures and dates only, lets such a token pass until it expires.
   */
  emailOf(accessToken: string): Promise<string | undefined>;
}

const cognito = once(async () => {
  const sdk = await import('@aws-sdk/client-cognito-identity-provider');
  return { sdk, client: new sdk.CognitoIdentityProviderClient() };
});

export const accounts: Accounts = {
  async emailOf(accessToken) {
    const { sdk, client } = await cognito();
    try {
      const { UserAttributes = [] } = await client.send(new sdk.GetUserCommand({ AccessToken: accessToken }));
      const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
      return attribute('email_verified') === 'true' ? attribute('email')?.toLowerCase() : undefined;
    } catch (error) {
      if (error instanceof sdk.NotAuthorizedException || error instanceof sdk.UserNotFoundException) {
        throw new Refusal('not-signed-in');
      }
      throw error;
    }
  },
};
