import { randomBytes } from 'node:crypto';
import type { VariablesOf } from '../../../schemas/config/environment.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';

// Milliseconds. Cognito answers within one second.
const TIME_LIMIT = 10_000;

const cognito = once(async () => {
  const sdk = await import('./canary-user-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

const limited = () => ({ abortSignal: AbortSignal.timeout(TIME_LIMIT) });

/** The user that checks the site. Its client has the flow ADMIN_USER_PASSWORD_AUTH. */
export function cognitoCanaryUser(of: VariablesOf<'canary'>) {
  const { USER_POOL_ID: poolId, CANARY_CLIENT_ID: clientId, CANARY_EMAIL: email } = of;
  const user = { UserPoolId: poolId, Username: email };
  return {
    /** Signs in with a new password, and resolves with an access token. Creates the user if necessary. */
    async signIn() {
      const { sdk, client } = await cognito();
      const password = randomBytes(24).toString('base64url');
      const setPassword = () => {
        const command = new sdk.AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true });
        return client.send(command, limited());
      };
      try {
        await setPassword();
      } catch (error) {
        if (!(error instanceof sdk.UserNotFoundException)) throw error;
        const attributes = { email, email_verified: 'true', name: 'Canary' };
        const command = new sdk.AdminCreateUserCommand({
          ...user,
          MessageAction: 'SUPPRESS',
          UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
        });
        await client.send(command, limited());
        await setPassword();
      }
      const command = new sdk.AdminInitiateAuthCommand({
        UserPoolId: poolId,
        ClientId: clientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      });
      const { AuthenticationResult } = await client.send(command, limited());
      if (AuthenticationResult?.AccessToken === undefined) throw new Error('Cognito issues no token.');
      return AuthenticationResult.AccessToken;
    },
  };
}
