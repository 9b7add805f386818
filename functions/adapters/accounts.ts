import { once } from './once.ts';

/** Accounts in the Cognito user pool, as far as functions ask for them. */
export interface Accounts {
  /** The verified address of whoever the access token speaks for, in lower case; undefined without one. */
  emailOf(accessToken: string): Promise<string | undefined>;
}

const cognito = once(async () => {
  const { CognitoIdentityProviderClient, GetUserCommand } =
    await import('@aws-sdk/client-cognito-identity-provider');
  return { client: new CognitoIdentityProviderClient(), GetUserCommand };
});

export const accounts: Accounts = {
  async emailOf(accessToken) {
    const { client, GetUserCommand } = await cognito();
    const { UserAttributes = [] } = await client.send(new GetUserCommand({ AccessToken: accessToken }));
    const attribute = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value;
    return attribute('email_verified') === 'true' ? attribute('email')?.toLowerCase() : undefined;
  },
};
