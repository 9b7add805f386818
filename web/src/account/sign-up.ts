import * as z from 'zod/mini';
import { anonymousCode, withCode } from './with-code.ts';
import { callForMail } from './call-for-mail.ts';
import { BROWSER_ATTRIBUTE, BROWSER_SECRET } from '../../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { plainText } from '../../../schemas/plain-text.ts';
import { callCognito } from '../session/call-cognito.ts';
import { isRefusedByTrigger, refusedBy } from './auth-sentence.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { setSignInNotice } from '../session/use-sign-in-notice.ts';
import { nameSentence } from './name-sentence.ts';
import { type Refused, refused, refusedAsMissing } from './outcome.ts';
import { OFFERED_NAMES } from './offered-providers.ts';
import { keepTyped, signIn, signInByTicket, takeTyped } from './sign-in.ts';
import { forgetSignUpSecret, keepSignUpSecret, newSignUpSecret, signUpSecret } from './sign-up-browser.ts';
import { NO_MAIL } from './sign-up-cookie.ts';

type SignUpOutcome =
  /** `userId`: Cognito's name of the new account, if it gave one. `newCode`: why no mail was sent, if so. */
  | { kind: 'confirmation-required'; userId?: string | undefined; newCode?: string }
  | { kind: 'complete' }
  | Refused;

const SignedUp = z.object({ UserConfirmed: z.boolean(), UserSub: z.optional(z.string()) });

export async function signUp(account: {
  name: string;
  email: string;
  password: string;
}): Promise<SignUpOutcome> {
  const email = account.email.trim();
  if (email === '' || account.password === '')
    return refusedAsMissing(`${CREDENTIALS_MISSING} We need your name, too.`);
  const fault = nameSentence(account.name);
  if (fault !== null) return refused(fault);
  keepTyped(email, account.password);
  try {
    const { secret, hash } = await newSignUpSecret();
    const attributes = { email, name: account.name.normalize('NFC').trim(), [BROWSER_ATTRIBUTE]: hash };
    const answer = await callForMail('SignUp', {
      Username: email,
      Password: plainText(account.password),
      UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    });
    keepSignUpSecret(email, secret);
    const { UserConfirmed, UserSub } = SignedUp.parse(answer);
    return UserConfirmed ? { kind: 'complete' } : { kind: 'confirmation-required', userId: UserSub };
  } catch (error) {
    return isNamed(error, 'UsernameExistsException') ? signUpAgain(email, error) : notSignedUp(email, error);
  }
}

/**
 * Mails an account again that was never confirmed. Our trigger deletes such an account at a new sign-up, but
 * AWS doesn't document whether Cognito runs the trigger before it finds the address taken. The password may
 * be a stranger's, so that whoever confirms the account chooses another.
 */
async function signUpAgain(email: string, taken: unknown): Promise<SignUpOutcome> {
  try {
    await callForMail('ResendConfirmationCode', { Username: email });
    forgetSignUpSecret();
    return { kind: 'confirmation-required' };
  } catch (error) {
    // Cognito says so of a confirmed account.
    return notSignedUp(email, isNamed(error, 'InvalidParameterException') ? taken : error);
  }
}

function notSignedUp(email: string, error: unknown): SignUpOutcome {
  if (!isRefusedByTrigger(error, triggerRefusals.spent)) return refusedBy(error, 'sign-up');
  keepSignUpSecret(email, NO_MAIL);
  return { kind: 'confirmation-required', newCode: triggerRefusals.spent };
}

const isNamed = (error: unknown, name: string): error is Error =>
  error instanceof Error && error.name === name;

/** `confirmed`: the user has to sign in, which the sign-in page says. */
type Confirmation = { kind: 'signed-in' } | { kind: 'confirmed' } | Refused;

/**
 * Confirms with the newest mail's code, and signs in if this page knows the password. `userName`: the
 * account's id or, if it isn't known, its address.
 */
export async function confirmByCode(userName: string, code: string, email: string): Promise<Confirmation> {
  try {
    await callCognito('ConfirmSignUp', {
      Username: userName,
      ConfirmationCode: code.trim(),
      ClientMetadata: { [BROWSER_SECRET]: signUpSecret(email) ?? '' },
    });
  } catch (error) {
    if (!isConfirmedAlready(error)) return refusedBy(error, 'confirm-email');
  }
  return openAccount(email, {});
}

/** Whether the account is confirmed already: the button was pressed twice, or an answer was lost. */
const isConfirmedAlready = (error: unknown): boolean =>
  isNamed(error, 'NotAuthorizedException') && error.message.endsWith('Current status is CONFIRMED');

/**
 * Confirms with the token of any mail's link, and signs in. `account-needed`: this browser didn't sign up, so
 * that the user chooses the name and the password.
 */
export async function confirmByLink(
  link: { email: string; token: string },
  chosen: { name: string; password: string } | undefined,
): Promise<Confirmation | { kind: 'account-needed' }> {
  const browser = signUpSecret(link.email);
  const account = chosen && { name: chosen.name, password: chosen.password };
  const body = { ...link, ...(browser !== undefined && { browser }), ...(account && { account }) };
  return withCode(anonymousCode, async ({ callAnonymously }) => {
    const answer = await callAnonymously('confirm-sign-up', { body });
    const password = chosen?.password;
    if (answer.ok) return openAccount(link.email, { ticket: answer.value.ticket, password });
    if (answer.code === 'password-needed') return { kind: 'account-needed' as const };
    // The first answer may have been lost.
    const isHers = answer.code === 'already-confirmed' && password !== undefined;
    if (isHers && (await signIn(link.email, password)).kind === 'signed-in') return { kind: 'signed-in' };
    if (answer.code !== 'link-invalid') return refused(answer.sentence);
    // The account of the link may be gone: an unconfirmed account is deleted after a while.
    const message = `${answer.sentence} Or sign in with ${OFFERED_NAMES}, or sign up again.`;
    return { ...refused(message), reason: 'link' as const };
  });
}

/** Signs in by the ticket, or else by the password. */
async function openAccount(
  email: string,
  { ticket, password = takeTyped(email) }: { ticket?: string; password?: string | undefined },
): Promise<Confirmation> {
  forgetSignUpSecret();
  const isSignedIn =
    (ticket !== undefined && (await signInByTicket(email, ticket))) ||
    (password !== undefined && (await signIn(email, password)).kind === 'signed-in');
  if (isSignedIn) return { kind: 'signed-in' };
  setSignInNotice('confirmed');
  return { kind: 'confirmed' };
}
