import { NEEDS_RESET, UNSUPPORTED_STEP, refusedBy } from './auth-sentence.ts';
import { callForMail } from './call-for-mail.ts';
import { keepWayIn } from './way-in.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { type Outcome, type Refused, refused, refusedAsMissing } from './outcome.ts';
import { signInApart } from '../session/isolated-amplify.ts';
import { replaceSession } from '../session/session-lifecycle.ts';

type SignInOutcome =
  | { kind: 'signed-in' }
  /** `mail`: whether a new mail was sent. Its code voids earlier codes. */
  | { kind: 'confirmation-required'; mail: Outcome }
  | Refused;
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  const username = email.trim();
  if (username === '' || password === '') return refusedAsMissing(CREDENTIALS_MISSING);
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

/** `userName`: the id of the account or, if the id isn't known, its email address. */
export async function resendConfirmation(userName: string): Promise<Outcome> {
  try {
    await callForMail('ResendConfirmationCode', { Username: userName });
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'resend-code');
  }
}
