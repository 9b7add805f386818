import { limits, product } from './product/product.ts';

export interface RefusalAnswer {
  status: number;
  sentence: string;
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
}

/** Every refusal of the API, with its sentence for users. Any other failure is a bug: `internal`. */
export const refusals = {
  'bad-request': {
    status: 400,
    sentence:
      'That request could not be read. If a page sent it, the page may be out of date: please reload it.',
  },
  'weak-password': {
    status: 400,
    sentence: `Choose a password of at least ${limits.minimumPasswordLength} characters that neither begins nor ends with a space.`,
  },
  'unknown-plan': { status: 400, sentence: 'There is no plan of that name.' },
  'name-missing': { status: 400, sentence: 'Please enter your name' },
  'name-too-long': { status: 400, sentence: `Your name can have at most ${limits.longestName} characters` },
  'name-unusable': {
    status: 400,
    sentence: "Your name has a character that can't be seen. Please type it again.",
  },
  'address-not-registered': { status: 400, sentence: 'This redirect address is not registered.' },
  'bad-signature': { status: 400, sentence: 'The signature does not match.' },
  'not-signed-in': { status: 401, sentence: 'No user logged in' },
  'not-yours': { status: 403, sentence: 'You can only do this for your own account.' },
  'wrong-password': { status: 403, sentence: 'That is not your current password. Nothing was changed.' },
  'sign-in-again': {
    status: 403,
    sentence: 'Please sign in again first: this needs a sign-in within the last ten minutes.',
  },
  'not-found': { status: 404, sentence: 'There is nothing here by that name.' },
  'no-active-subscription': { status: 404, sentence: 'No active subscription found' },
  'already-subscribed': { status: 409, sentence: 'You already have a paid plan.' },
  'renew-instead': {
    status: 409,
    sentence: 'Your plan is still running. Renew it instead of buying it again.',
  },
  'payment-processing': {
    status: 409,
    sentence: "Your payment is still being processed. You don't need to pay again.",
  },
  'already-cancelled': { status: 409, sentence: 'Your subscription is already canceled.' },
  'nothing-to-renew': { status: 409, sentence: 'There is no canceled subscription to renew.' },
  'no-password': { status: 409, sentence: 'Your account has no password: you sign in through a provider.' },
  'address-from-provider': {
    status: 409,
    sentence:
      "Your address comes from the provider that you sign in with. Change it there, and we'll update it the next time you sign in.",
  },
  'provider-stays': {
    status: 409,
    sentence:
      'This way to sign in has to stay: without it, you could not get back into your account. Add another one first.',
  },
  'same-address': { status: 409, sentence: 'That is already your address.' },
  'address-taken': {
    status: 409,
    sentence:
      'Another account has this address. Nothing was changed. Use another address, or delete that account first.',
  },
  'account-closing': {
    status: 409,
    sentence: 'This account is being deleted. In a few minutes you can sign up again.',
  },
  'undeliverable-address': {
    status: 409,
    sentence: `We can't email this address: an earlier email bounced. Please use another address, or write to ${product.supportEmail}.`,
  },
  'marked-as-spam': {
    status: 409,
    sentence:
      'An email of ours to this address was marked as spam, so we stopped. Press the button once more, and we send it.',
  },
  'already-on-waitlist': { status: 409, sentence: 'This email is already on the waitlist' },
  'already-confirmed': {
    status: 409,
    sentence:
      'This address is confirmed already. Please sign in, or choose a new password if you forgot yours.',
  },
  'password-needed': { status: 409, sentence: 'Please choose a name and a password for this account.' },
  'link-invalid': {
    status: 410,
    sentence: 'This link no longer works. It is used up or out of date. Please ask for a new one.',
  },
  'withdrawal-over': { status: 409, sentence: 'It is too late to withdraw. You can still cancel.' },
  'too-large': { status: 413, sentence: 'That request is too large.' },
  'wrong-content-type': {
    status: 415,
    sentence: "This request came in a format that we can't read. Please reload the page and try again.",
  },
  'too-many-tries': { status: 429, sentence: 'Too many attempts. Please wait a while before trying again.' },
  'mails-spent': {
    status: 429,
    sentence: 'We have sent several emails about this address today. Please try again tomorrow.',
  },
  busy: {
    status: 503,
    sentence: 'A lot is happening on this account right now. Please try again in a moment.',
    retryAfter: 1,
  },
  'mail-not-sent': {
    status: 503,
    sentence:
      'We could not send the email that this needs. Nothing was changed. Please try again in a few minutes.',
  },
  'stripe-unavailable': {
    status: 503,
    sentence: 'Our payment provider did not answer as it should. Please try again in a few minutes.',
    retryAfter: 60,
  },
  'stripe-refused': {
    status: 503,
    sentence: 'Our payment provider refused this. Nothing was changed. Please contact support.',
  },
  internal: { status: 500, sentence: 'Something went wrong on our side. Please try again in a moment.' },
} as const satisfies Record<string, RefusalAnswer>;

export type RefusalCode = keyof typeof refusals;

export interface RefusalBody {
  error: string;
  code: RefusalCode;
}
