import * as cognito from 'aws-amplify/auth';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { type Outcome, type Refused, refused, refusedBy } from './outcome.ts';
import { beginSession } from './session-lifecycle.ts';
import { configureAmplify, storedTokens, withTokenLock } from './tokens.ts';

type SignInOutcome = { kind: 'signed-in' } | { kind: 'confirmation-required' } | Refused;
type SignUpOutcome = { kind: 'confirmation-required' } | { kind: 'complete' } | Refused;

/** `userName`: an e-mail address, or the opaque user name of a reset link. */
export async function signIn(userName: string, password: string): Promise<SignInOutcome> {
  const username = userName.trim();
  if (username === '' || password === '') return refused(CREDENTIALS_MISSING);
  try {
    await configureAmplify();
    const { isSignedIn, nextStep } = await withTokenLock(async () => {
      // Amplify refuses to sign in over an existing session.
      if (await storedTokens()) await cognito.signOut();
      return cognito.signIn({ username, password });
    });
    if (isSignedIn) {
      await beginSession();
      return { kind: 'signed-in' };
    }
    if (nextStep.signInStep === 'CONFIRM_SIGN_UP') {
      // Cognito sends no code by itself. The next page can send another, so a failure here does no harm.
      cognito.resendSignUpCode({ username }).catch(() => undefined);
      return { kind: 'confirmation-required' };
    }
    return refused(`This account needs a step that isn't offered here.`);
  } catch (error) {
    return refusedBy(error);
  }
}

export async function signUp(account: {
  name: string;
  email: string;
  password: string;
}): Promise<SignUpOutcome> {
  const email = account.email.trim();
  if (email === '' || account.password === '') return refused(CREDENTIALS_MISSING);
  try {
    await configureAmplify();
    const { nextStep } = await cognito.signUp({
      username: email,
      password: account.password,
      options: { userAttributes: { email, name: account.name.trim() } },
    });
    return { kind: nextStep.signUpStep === 'CONFIRM_SIGN_UP' ? 'confirmation-required' : 'complete' };
  } catch (error) {
    return refusedBy(error);
  }
}

export const confirmEmail = (email: string, code: string): Promise<Outcome> =>
  attempt(() => cognito.confirmSignUp({ username: email, confirmationCode: code.trim() }));

export const resendConfirmation = (email: string): Promise<Outcome> =>
  attempt(
    () => cognito.resendSignUpCode({ username: email }),
    'Failed to resend confirmation email. Please try again.',
  );

export const requestPasswordReset = (email: string): Promise<Outcome> =>
  attempt(() => cognito.resetPassword({ username: email.trim() }));

/** `userName` and `code` come from the reset link. */
export const resetPassword = (userName: string, code: string, newPassword: string): Promise<Outcome> =>
  attempt(() => cognito.confirmResetPassword({ username: userName, confirmationCode: code, newPassword }));

async function attempt(work: () => Promise<unknown>, otherwise?: string): Promise<Outcome> {
  try {
    await configureAmplify();
    await work();
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, otherwise);
  }
}
