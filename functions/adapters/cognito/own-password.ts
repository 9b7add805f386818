import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';
import { cognitoUserPool } from './user-pool.ts';

// "PasswordType" in Cognito's reference. Cognito refuses another password as a malformed request.
const passwordShape = /^\S.*\S$/;

const cognito = once(async () => {
  const sdk = await import('./own-password-sdk.ts');
  return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
});

/** Not Cognito's ChangePassword, which any holder of a token could call if the firewall let it pass. */
export const ownPassword = (of: { USER_POOL_ID: string; PASSWORD_CLIENT_ID: string }) => ({
  /**
   * Changes a user's own password. Refuses as `wrong-password`, `weak-password`, `too-many-tries`, or
   * `no-password`. The sign-in that proves the password begins a session, whose tokens nobody gets.
   */
  async change(sub: string, { current, proposed }: { current: string; proposed: string }) {
    // A password of another shape can't be the current password.
    if (!passwordShape.test(current)) throw new Refusal('wrong-password');
    if (!passwordShape.test(proposed)) throw new Refusal('weak-password');
    const { sdk, client } = await cognito();
    const pool = { UserPoolId: of.USER_POOL_ID };
    try {
      await client.send(
        new sdk.AdminInitiateAuthCommand({
          ...pool,
          ClientId: of.PASSWORD_CLIENT_ID,
          AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
          // The user name of an account with a password is its sub.
          AuthParameters: { USERNAME: sub, PASSWORD: current },
        }),
      );
      await client.send(
        new sdk.AdminSetUserPasswordCommand({ ...pool, Username: sub, Password: proposed, Permanent: true }),
      );
    } catch (error) {
      if (error instanceof sdk.InvalidPasswordException) throw new Refusal('weak-password');
      if (error instanceof sdk.LimitExceededException || error instanceof sdk.TooManyRequestsException) {
        throw new Refusal('too-many-tries');
      }
      if (error instanceof sdk.UserNotFoundException) throw new Refusal('no-password');
      if (!(error instanceof sdk.NotAuthorizedException)) throw error;
      // Only its message tells the lock-out. If Cognito changes it, the answer is still a refusal.
      if (/attempts exceeded/i.test(error.message)) throw new Refusal('too-many-tries');
      const account = await cognitoUserPool(of.USER_POOL_ID).find(sub);
      throw new Refusal(account ? 'wrong-password' : 'no-password');
    }
  },
});
export type OwnPassword = ReturnType<typeof ownPassword>;
