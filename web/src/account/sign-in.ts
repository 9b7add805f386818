import { SIGN_UP_AGAIN, triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { authSentence, isRefusedByTrigger, NEEDS_RESET, UNSUPPORTED_STEP } from './auth-sentence.ts';
import { keepWayIn } from './way-in.ts';
import { CREDENTIALS_MISSING, EMAIL_INVALID } from './credentials.ts';
import { type Outcome, type Refused, refused, refusedBy } from './outcome.ts';
import { callCognito } from '../session/call-cognito.ts';
import { signInApart } from '../session/isolated-amplify.ts';
import { replaceSession } from '../session/session-lifecycle.ts';

type SignInOutcome =
  | { kind: 'signed-in' }
  /** `mail`: whether a new code was sent. A new code voids earlier codes. */
  | { kind: 'confirmation-required'; mail: Outcome }
  | Refused;
type ResetRequest =
  | { kind: 'done' }
  /** The account was never confirmed, and was removed. The address can sign up again. */
  | { kind: 'sign-up-again' }
  | Refused;

/** `userName`: an email address, or the opaque user name of a reset link. */
export async function signIn(userName: string, password: string): Promise<SignInOutcome> {
  const username = userName.trim();
  if (username === '' || password === '') return refused(CREDENTIALS_MISSING);
  try {
    const { tokens, nextStep } = await signInApart(username, password);
    if (tokens) {
      await keepWayIn('password');
      await replaceSession(tokens);
      return { kind: 'signed-in' };
    }
    if (nextStep === 'CONFIRM_SIGN_UP') {
      // Cognito sends no code on its own.
      return { kind: 'confirmation-required', mail: await resendConfirmation(username) };
    }
    return refused(nextStep === 'RESET_PASSWORD' ? NEEDS_RESET : UNSUPPORTED_STEP);
  } catch (error) {
    return refusedBy(error, 'sign-in');
  }
}

/**
 * Makes our trigger remove the account of this address if the account was never confirmed, since its password
 * may be a stranger's. Resolves with whether there was such an account. No mail is sent.
 */
export async function removeUnconfirmed(email: string): Promise<boolean> {
  try {
    await callCognito('ResendConfirmationCode', { Username: email, ClientMetadata: SIGN_UP_AGAIN });
    return false;
  } catch (error) {
    return isRefusedByTrigger(error, triggerRefusals.signUpAgain);
  }
}

/** `userName`: the id of the account or, if the id isn't known, its email address. */
export async function resendConfirmation(userName: string): Promise<Outcome> {
  try {
    await callCognito('ResendConfirmationCode', { Username: userName });
    return { kind: 'done' };
  } catch (error) {
    if (isRefusedByTrigger(error, triggerRefusals.mailsSpent)) return { kind: 'done' };
    return refusedBy(error, 'resend-code');
  }
}

/** Requests a password reset. The answer doesn't reveal whether the address has a confirmed account. */
export async function requestPasswordReset(email: string): Promise<ResetRequest> {
  const username = email.trim();
  try {
    await callCognito('ForgotPassword', { Username: username }).catch((error: unknown) => {
      if (!isWithoutMail(error)) throw error;
    });
    if (await removeUnconfirmed(username)) return { kind: 'sign-up-again' };
    const { callAnonymously } = await import('../api/call-anonymously.ts');
    const answer = await callAnonymously('provider-reminder', { body: { email: username } });
    return answer.ok ? { kind: 'done' } : refused(answer.sentence);
  } catch (error) {
    return refusedBy(error, 'request-reset');
  }
}

/**
 * Whether no mail goes out, which the page doesn't tell: the address has had the day's mails, or has no
 * confirmed account. For such an address Cognito
 * "alternates between" that refusal and an answer as if a mail had been sent ("Managing user existence error
 * responses").
 */
const isWithoutMail = (error: unknown): boolean =>
  isRefusedByTrigger(error, triggerRefusals.mailsSpent) ||
  (error instanceof Error &&
    error.name === 'InvalidParameterException' &&
    authSentence(error, 'request-reset') !== EMAIL_INVALID);

/** `userName` and `code` come from the reset link. */
export async function resetPassword(userName: string, code: string, newPassword: string): Promise<Outcome> {
  try {
    await callCognito('ConfirmForgotPassword', {
      Username: userName,
      ConfirmationCode: code,
      Password: newPassword,
    });
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'reset-password');
  }
}
