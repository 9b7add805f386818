import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';

/** The user that checks whether the site works. */
export interface CanaryUser {
  /** Resolves with an access token; undefined if there is no such user, or if it has another password. */
  signIn(password: string): Promise<string | undefined>;
  /** Creates the user, or sets the password of the existing user. Sends no mail. */
  create(password: string): Promise<void>;
}

// Milliseconds. Cognito answers within one second.
const TIME_LIMIT = 10_000;

const cognito = once(async () => {
  const sdk = await import('./canary-user-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

const limited = () => ({ abortSignal: AbortSignal.timeout(TIME_LIMIT) });

/** `clientId`: a client with the flow ADMIN_USER_PASSWORD_AUTH, which needs rights in AWS. */
export function cognitoCanaryUser({
  poolId,
  clientId,
  email,
}: {
  poolId: string;
  clientId: string;
  email: string;
}): CanaryUser {
  const user = { UserPoolId: poolId, Username: email };
  return {
    async signIn(password) {
      const { sdk, client } = await cognito();
      const command = new sdk.AdminInitiateAuthCommand({
        UserPoolId: poolId,
        ClientId: clientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      });
      try {
        const { AuthenticationResult } = await client.send(command, limited());
        return AuthenticationResult?.AccessToken;
      } catch (error) {
        if (error instanceof sdk.NotAuthorizedException || error instanceof sdk.UserNotFoundException) {
          return undefined;
        }
        throw error;
      }
    },

    async create(password) {
      const { sdk, client } = await cognito();
      const attributes = { email, email_verified: 'true', name: 'Canary' };
      const command = new sdk.AdminCreateUserCommand({
        ...user,
        MessageAction: 'SUPPRESS',
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
      });
      try {
        await client.send(command, limited());
      } catch (error) {
        if (!(error instanceof sdk.UsernameExistsException)) throw error;
      }
      const setPassword = new sdk.AdminSetUserPasswordCommand({
        ...user,
        Password: password,
        Permanent: true,
      });
      await client.send(setPassword, limited());
    },
  };
}
