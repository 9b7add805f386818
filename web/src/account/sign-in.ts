import * as z from 'zod/mini';
import { NEEDS_RESET, UNSUPPORTED_STEP, refusedBy } from './auth-sentence.ts';
import { callForMail } from './call-for-mail.ts';
import { keepWayIn } from './way-in.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { type Outcome, type Refused, refused, refusedAsMissing } from './outcome.ts';
import { callCognito } from '../session/call-cognito.ts';
import { tokensIn } from '../session/renew-tokens.ts';
import { signInApart } from '../session/isolated-amplify.ts';
import { replaceSession } from '../session/session-lifecycle.ts';

type SignInOutcome =
  | { kind: 'signed-in' }
  /** `mail`: whether a new mail was sent. Its code voids earlier codes. */
  | { kind: 'confirmation-required'; mail: Outcome }
  | Refused;

/** This page's newest credentials whose address waits for its confirmation. */
let typed: { email: string; password: string } | undefined;

const nameOf = (email: string): string => email.trim().toLowerCase();

/** Keeps a password in this page's memory until the address is confirmed. */
export function keepTyped(email: string, password: string): void {
  typed = { email: nameOf(email), password };
}

/** The password that was typed for this address, once. */
export function takeTyped(email: string): string | undefined {
  const password = typed?.email === nameOf(email) ? typed.password : undefined;
  typed = undefined;
  return password;
}

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
      keepTyped(username, password);
      // Cognito sends no code on its own.
      return { kind: 'confirmation-required', mail: await resendConfirmation(username) };
    }
    return refused(nextStep === 'RESET_PASSWORD' ? NEEDS_RESET : UNSUPPORTED_STEP);
  } catch (error) {
    return refusedBy(error, 'sign-in');
  }
}

const Challenge = z.object({
  Session: z.string(),
  ChallengeParameters: z.object({ USERNAME: z.string() }),
});

/**
 * Signs in with the ticket that our API gives for a mailed link. No lock of passwords applies. Resolves with
 * false if the ticket doesn't count any more, or Cognito can't be reached.
 */
export async function signInByTicket(email: string, ticket: string): Promise<boolean> {
  try {
    const challenge = await callCognito('InitiateAuth', {
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: email.trim() },
    });
    const { Session, ChallengeParameters } = Challenge.parse(challenge);
    const answer = await callCognito('RespondToAuthChallenge', {
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: ChallengeParameters.USERNAME, ANSWER: ticket },
    });
    await keepWayIn('password');
    await replaceSession(tokensIn(answer));
    return true;
  } catch {
    return false;
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
