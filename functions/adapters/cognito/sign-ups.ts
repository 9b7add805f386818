import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { Refusal } from '../../runtime/refusal.ts';
import { once } from '../once.ts';
import { WITH_TRIGGERS } from '../request-limits.ts';
import type * as CognitoSdk from './sign-ups-sdk.ts';

/** Accounts that were never confirmed. `email` is the address that signed up. */
export interface SignUps {
  /**
   * Confirms the account with the mailed code. Our trigger then discards its password and name. Refuses as
   * `wrong-code`, `too-many-tries`, `confirmed-already`, or, if the account was deleted, as `code-expired`
   * or `address-taken`.
   */
  confirm(email: string, code: string): Promise<void>;
  /** Sets the password and name of the account that was just confirmed. */
  complete(email: string, account: { name: string; password: string }): Promise<void>;
}

export function cognitoSignUps(poolId: string, clientId: string): SignUps {
  const cognito = once(async () => {
    const sdk = await import('./sign-ups-sdk.ts');
    return { sdk, client: new sdk.CognitoIdentityProviderClient(WITH_TRIGGERS) };
  });

  return {
    async confirm(email, code) {
      const { sdk, client } = await cognito();
      try {
        await client.send(
          new sdk.ConfirmSignUpCommand({ ClientId: clientId, Username: email, ConfirmationCode: code }),
        );
      } catch (error) {
        throw refusalOf(sdk, error);
      }
    },

    async complete(email, { name, password }) {
      const { sdk, client } = await cognito();
      const user = { UserPoolId: poolId, Username: email };
      await client.send(
        new sdk.AdminUpdateUserAttributesCommand({
          ...user,
          UserAttributes: [{ Name: 'name', Value: name }],
        }),
      );
      await client.send(
        new sdk.AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }),
      );
    },
  };
}

/** The refusal that an error of ConfirmSignUp stands for, or the error itself. */
function refusalOf(sdk: typeof CognitoSdk, error: unknown): unknown {
  if (
    error instanceof sdk.CodeMismatchException ||
    error instanceof sdk.ExpiredCodeException ||
    error instanceof sdk.UserNotFoundException
  ) {
    return new Refusal('wrong-code');
  }
  if (
    error instanceof sdk.LimitExceededException ||
    error instanceof sdk.TooManyFailedAttemptsException ||
    error instanceof sdk.TooManyRequestsException
  ) {
    return new Refusal('too-many-tries');
  }
  // "User cannot be confirmed. Current status is CONFIRMED"
  if (error instanceof sdk.NotAuthorizedException) return new Refusal('confirmed-already');
  if (!(error instanceof sdk.UserLambdaValidationException)) return error;
  // Cognito adds a sentence of its own before the trigger's.
  if (error.message.includes(triggerRefusals.signUpAgain)) return new Refusal('code-expired');
  return error.message.includes(triggerRefusals.addressProved) ? new Refusal('address-taken') : error;
}
