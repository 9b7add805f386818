/**
 * The sentences that triggers of the user pool refuse with. Cognito passes on whatever a trigger throws, a
 * crash's text included, so pages show these and no other text of a trigger.
 */
export const triggerRefusals = {
  /** In Cognito's own words for a taken address. */
  addressTaken: 'An account with the given email already exists.',
  /** Answers `SIGN_UP_AGAIN`: there was an account that was never confirmed, and it is deleted now. */
  signUpAgain: 'This address was never confirmed. Please sign up again.',
  /** Somebody proved the address in another way while this account waited for its code. */
  addressProved: 'This address belongs to another account by now. Please sign in to that one.',
} as const;

/** Client metadata with which the site asks to remove an unconfirmed account instead of sending its code. */
export const SIGN_UP_AGAIN = { signUpAgain: 'true' } as const;
