import * as z from 'zod/mini';
import { BROWSER_ATTRIBUTE, BROWSER_SECRET } from '../../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { callCognito } from '../session/call-cognito.ts';
import { isRefusedByTrigger } from './auth-sentence.ts';
import { CREDENTIALS_MISSING } from './credentials.ts';
import { nameSentence } from './name-sentence.ts';
import { type Outcome, type Refused, refused, refusedBy } from './outcome.ts';
import { removeUnconfirmed } from './sign-in.ts';
import { forgetSignUpSecret, keepSignUpSecret, newSignUpSecret } from './sign-up-browser.ts';

type SignUpOutcome =
  /** `userId`: Cognito's name of the new account, if it gave one. */
  { kind: 'confirmation-required'; userId: string | undefined } | { kind: 'complete' } | Refused;

const SignedUp = z.object({ UserConfirmed: z.boolean(), UserSub: z.optional(z.string()) });

export async function signUp(account: {
  name: string;
  email: string;
  password: string;
}): Promise<SignUpOutcome> {
  const email = account.email.trim();
  if (email === '' || account.password === '') return refused(CREDENTIALS_MISSING);
  const fault = nameSentence(account.name);
  if (fault !== null) return refused(fault);
  try {
    const { secret, hash } = await newSignUpSecret();
    const attributes = { email, name: account.name.trim(), [BROWSER_ATTRIBUTE]: hash };
    const register = () =>
      callCognito('SignUp', {
        Username: email,
        Password: account.password,
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
      });
    const answer = await register().catch(async (error: unknown) => {
      // Our trigger removes an unconfirmed account of the address. AWS doesn't document whether Cognito runs
      // the trigger before it checks for a taken address.
      if (isUsernameTaken(error) && (await removeUnconfirmed(email))) return register();
      throw error;
    });
    keepSignUpSecret(email, secret);
    const { UserConfirmed, UserSub } = SignedUp.parse(answer);
    return UserConfirmed ? { kind: 'complete' } : { kind: 'confirmation-required', userId: UserSub };
  } catch (error) {
    // The earlier mails still work. A stranger who has caused them reads the same as ever.
    if (isRefusedByTrigger(error, triggerRefusals.mailsSpent)) {
      return { kind: 'confirmation-required', userId: undefined };
    }
    return refusedBy(error, 'sign-up');
  }
}

const isUsernameTaken = (error: unknown): boolean =>
  error instanceof Error && error.name === 'UsernameExistsException';

/**
 * Confirms an account of this browser. `userName`: the id of the account or, if the id isn't known, its
 * e-mail address. `secret`: of this browser (`sign-up-browser.ts`).
 */
export async function confirmEmail(userName: string, code: string, secret: string): Promise<Outcome> {
  try {
    await callCognito('ConfirmSignUp', {
      Username: userName,
      ConfirmationCode: code.trim(),
      ClientMetadata: { [BROWSER_SECRET]: secret },
    });
  } catch (error) {
    if (!isConfirmedAlready(error)) return refusedBy(error, 'confirm-email');
  }
  forgetSignUpSecret();
  return { kind: 'done' };
}

/** Whether the account is confirmed already: the link was pressed twice, or an answer was lost. */
const isConfirmedAlready = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'NotAuthorizedException' &&
  error.message.endsWith('Current status is CONFIRMED');

/** Confirms a sign-up of another browser, and sets the account's name and password. */
export async function confirmElsewhere(body: {
  email: string;
  code: string;
  name: string;
  password: string;
}): Promise<Outcome> {
  const { callAnonymously } = await import('../api/call-anonymously.ts');
  const answer = await callAnonymously('confirm-sign-up', { body });
  if (answer.ok) return { kind: 'done' };
  return {
    ...refused(answer.sentence),
    ...((answer.code === 'wrong-code' || answer.code === 'code-expired') && { reason: 'code' as const }),
  };
}
