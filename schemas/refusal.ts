import { limits, product } from './product/product.ts';

/** Every refusal of the API by status, with its sentence for users. Another failure is a bug: `internal`. */
const sentences = {
  400: {
    'bad-request':
      'That request could not be read. If a page sent it, the page may be out of date: please reload it.',
    'weak-password': `Choose a password of at least ${limits.minimumPasswordLength} characters that neither begins nor ends with a space.`,
    'unknown-plan': 'There is no plan of that name.',
    'name-missing': 'Please enter your name',
    'name-too-long': `Your name can have at most ${limits.longestName} characters`,
    'name-unusable': "Your name has a character that can't be seen. Please type it again.",
    'address-not-registered': 'This redirect address is not registered.',
    'bad-signature': 'The signature does not match.',
  },
  401: { 'not-signed-in': 'No user logged in' },
  403: {
    'not-yours': 'You can only do this for your own account.',
    'wrong-password': 'That is not your current password. Nothing was changed.',
    'sign-in-again': 'Please sign in again first: this needs a sign-in within the last ten minutes.',
  },
  404: {
    'not-found': 'There is nothing here by that name.',
    'no-active-subscription': 'No active subscription found',
  },
  409: {
    'already-subscribed': 'You already have a paid plan.',
    'renew-instead': 'Your plan is still running. Renew it instead of buying it again.',
    'payment-processing': "Your payment is still being processed. You don't need to pay again.",
    'already-cancelled': 'Your subscription is already canceled.',
    'nothing-to-renew': 'There is no canceled subscription to renew.',
    'no-password': 'Your account has no password: you sign in through a provider.',
    'address-from-provider':
      "Your address comes from the provider that you sign in with. Change it there, and we'll update it the next time you sign in.",
    'provider-stays':
      'This way to sign in has to stay: without it, you could not get back into your account. Add another one first.',
    'same-address': 'That is already your address.',
    'address-taken':
      'Another account has this address. Nothing was changed. Use another address, or delete that account first.',
    'account-closing': 'This account is being deleted. In a few minutes you can sign up again.',
    'undeliverable-address': `We can't email this address: an earlier email bounced. Please use another address, or write to ${product.supportEmail}.`,
    'marked-as-spam':
      'An email of ours to this address was marked as spam, so we stopped. Press the button once more, and we send it.',
    'already-on-waitlist': 'This email is already on the waitlist',
    'already-confirmed':
      'This address is confirmed already. Please sign in, or choose a new password if you forgot yours.',
    'password-needed': 'Please choose a name and a password for this account.',
    'withdrawal-over': 'It is too late to withdraw. You can still cancel.',
  },
  410: {
    'link-invalid': 'This link no longer works. It is used up or out of date. Please ask for a new one.',
  },
  413: { 'too-large': 'That request is too large.' },
  415: {
    'wrong-content-type':
      "This request came in a format that we can't read. Please reload the page and try again.",
  },
  429: {
    'too-many-tries': 'Too many attempts. Please wait a while before trying again.',
    'mails-spent': 'We have sent several emails about this address today. Please try again tomorrow.',
  },
  500: { internal: 'Something went wrong on our side. Please try again in a moment.' },
  503: {
    busy: 'A lot is happening on this account right now. Please try again in a moment.',
    'mail-not-sent':
      'We could not send the email that this needs. Nothing was changed. Please try again in a few minutes.',
    'stripe-unavailable':
      'Our payment provider did not answer as it should. Please try again in a few minutes.',
    'stripe-refused': 'Our payment provider refused this. Nothing was changed. Please contact support.',
  },
} as const satisfies Record<number, Record<string, string>>;

type Sentences = typeof sentences;
export type RefusalCode = { [S in keyof Sentences]: keyof Sentences[S] }[keyof Sentences];

/** Seconds, sent as `Retry-After`. */
const retries: Partial<Record<string, number>> = { busy: 1, 'stripe-unavailable': 60 };

export const refusals = Object.fromEntries(
  Object.entries<Record<string, string>>(sentences).flatMap(([status, byCode]) =>
    Object.entries(byCode).map(([code, sentence]) => [
      code,
      { status: Number(status), sentence, retryAfter: retries[code] },
    ]),
  ),
) as Record<RefusalCode, { status: number; sentence: string; retryAfter: number | undefined }>;
