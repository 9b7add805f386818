/**
 * The behavior of a test card.
 *
 * - `is-disputed`: pays, and is disputed at once
 * - `fails-at-renewals`: pays on session only
 * - `authenticates`: the form asks the cardholder to authenticate it. A renewal pays, or requires an action.
 *   `refusal`: the bank's, after the authentication
 * - `settles-later`: the payment is processing, and succeeds or fails days later
 * - `refunds-later`: pays; a refund has the first status at once and the second later
 * - `refuses`: with Stripe's message
 */
export type CardBehavior =
  | { kind: 'pays' }
  | { kind: 'is-disputed' }
  | { kind: 'fails-at-renewals' }
  | { kind: 'authenticates'; renewal: 'pays' | 'requires-action'; refusal?: Refusal }
  | { kind: 'settles-later'; succeeds: boolean }
  | { kind: 'refunds-later'; first: 'pending' | 'succeeded'; second: 'succeeded' | 'failed' }
  | Refusal;

export interface Refusal {
  kind: 'refuses';
  code: string;
  declineCode?: string;
  message: string;
}

export interface TestCard {
  number: string;
  brand: string;
  behavior: CardBehavior;
}

const declined = (declineCode: string, message = 'Your card was declined.'): Refusal => ({
  kind: 'refuses',
  code: 'card_declined',
  declineCode,
  message,
});

// Source: https://docs.stripe.com/testing, except for those that begin with 40000099. The first payment of …0341
// succeeds here, as README.md says. …3155 authenticates on session only.
const withoutFunds = declined('insufficient_funds', 'Your card has insufficient funds.');

const behaviors: Record<string, CardBehavior> = {
  '4242424242424242': { kind: 'pays' },
  '4000056655665556': { kind: 'pays' },
  '5555555555554444': { kind: 'pays' },
  '378282246310005': { kind: 'pays' },
  '6011111111111117': { kind: 'pays' },
  '4000002500003155': { kind: 'authenticates', renewal: 'pays' },
  '4000000000000259': { kind: 'is-disputed' },
  '4000000000000341': { kind: 'fails-at-renewals' },
  '4000002760003184': { kind: 'authenticates', renewal: 'requires-action' },
  '4000008260003178': { kind: 'authenticates', renewal: 'requires-action', refusal: withoutFunds },
  '4000000000007726': { kind: 'refunds-later', first: 'pending', second: 'succeeded' },
  '4000000000005126': { kind: 'refunds-later', first: 'succeeded', second: 'failed' },
  '4000009999000030': { kind: 'refunds-later', first: 'pending', second: 'failed' },
  '4000009999000014': { kind: 'settles-later', succeeds: true },
  '4000009999000022': { kind: 'settles-later', succeeds: false },
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': withoutFunds,
};

const brands: Record<string, string> = { 3: 'amex', 4: 'visa', 5: 'mastercard', 6: 'discover' };

// Card tokens for use without a form. Source: https://docs.stripe.com/testing?testing-method=payment-methods,
// except for `pm_card_settlesLater` and `pm_card_settlesLaterFails`.
const testTokens: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_createDispute: '4000000000000259',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_pendingRefund: '4000000000007726',
  pm_card_refundFail: '4000000000005126',
  pm_card_settlesLater: '4000009999000014',
  pm_card_settlesLaterFails: '4000009999000022',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_visa_chargeDeclined: '4000000000000002',
};

export const cardOfToken = (token: string): TestCard | undefined =>
  Object.hasOwn(testTokens, token) ? testCard(testTokens[token] ?? '') : undefined;

/** The fields of the card form, as typed. */
export interface CardEntry {
  number: string;
  /** `MM / YY` or `MM / YYYY`. */
  expiry: string;
  cvc: string;
  name: string;
}

export interface ReadCard {
  card: TestCard;
  expiryMonth: number;
  expiryYear: number;
  name: string;
}

export type CardField = keyof CardEntry;

/** Reads the card, or returns the form's message for each field. `now` decides what has expired. */
export function readCard(
  entry: CardEntry,
  now: Date,
): { ok: true; read: ReadCard } | { ok: false; problems: Partial<Record<CardField, string>> } {
  const number = entry.number.replaceAll(/[\s-]/g, '');
  const expiry = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(entry.expiry);
  const expiryMonth = Number(expiry?.[1]);
  const expiryYear = (Number(expiry?.[2]) % 2000) + 2000;
  const problems: Partial<Record<CardField, string>> = {};

  const numberProblem = problemOfNumber(number);
  if (numberProblem) problems.number = numberProblem;
  if (!expiry) problems.expiry = "Your card's expiration date is incomplete.";
  else if (expiryMonth < 1 || expiryMonth > 12) problems.expiry = "Your card's expiration date is invalid.";
  else if (expiryYear < now.getUTCFullYear()) problems.expiry = "Your card's expiration year is in the past.";
  else if (expiryYear === now.getUTCFullYear() && expiryMonth < now.getUTCMonth() + 1) {
    problems.expiry = "Your card's expiration date is in the past.";
  } else if (expiryYear > now.getUTCFullYear() + 50)
    problems.expiry = "Your card's expiration year is invalid.";
  if (!new RegExp(/^3[47]/.test(number) ? '^\\d{4}$' : '^\\d{3}$').test(entry.cvc.trim())) {
    problems.cvc = "Your card's security code is incomplete.";
  }
  const name = entry.name.trim();
  if (name === '' || name.length > 150) problems.name = 'Enter the name on the card.';

  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, read: { card: testCard(number), expiryMonth, expiryYear, name } };
}

function testCard(number: string): TestCard {
  const behavior = behaviors[number];
  if (behavior) return { number, brand: brands[number.slice(0, 1)] ?? 'unknown', behavior };
  const unknown = declined(
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid ' +
      'test cards, visit: https://stripe.com/docs/testing.',
  );
  return { number, brand: 'unknown', behavior: unknown };
}

function problemOfNumber(number: string): string | undefined {
  if (!/^\d*$/.test(number) || number.length > 19) return 'Your card number is invalid.';
  if (number.length < (/^3[47]/.test(number) ? 15 : 16)) return 'Your card number is incomplete.';
  return passesLuhn(number) ? undefined : 'Your card number is invalid.';
}

function passesLuhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}
