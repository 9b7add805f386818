import { MAIL_CAME_BACK } from './mail-came-back.ts';

/**
 * Sentences that our Cognito triggers refuse with. Cognito answers the caller with
 * `<trigger> failed with error <sentence>.`, and adds a full stop to the sentence's own.
 */
export const triggerRefusals = {
  /** Cognito's own sentence for an address that has an account. */
  addressTaken: 'An account with the given email already exists.',
  /** An answer to `SIGN_UP_AGAIN`, and to a code that comes too late: the unconfirmed account is deleted. */
  signUpAgain: 'This sign-up no longer counts. Please sign up again.',
  /** An answer to a right code: the account is deleted, because another account has the address by now. */
  addressProved: 'This address has another account by now. Please sign in to that one.',
  /** An answer to a sign-up, and to a request for another code: SES wouldn't send the mail. */
  mailCameBack: MAIL_CAME_BACK,
} as const;

/**
 * Client metadata of ResendConfirmationCode. Instead of sending a code it deletes an unconfirmed account, so
 * that the address can be signed up again with another password. A code would confirm the password that the
 * account has, and anyone may have chosen that.
 */
export const SIGN_UP_AGAIN = { signUpAgain: 'true' } as const;
