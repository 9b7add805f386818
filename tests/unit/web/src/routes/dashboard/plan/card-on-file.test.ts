import { expect, test } from 'vitest';
import type { PaymentMethod } from '../../../../../../../schemas/shapes/billing.ts';
import type { Standing } from '../../../../../../../schemas/shapes/standing.ts';
import { cardOnFileOf } from '../../../../../../../web/src/routes/dashboard/plan/card-on-file.ts';

const visa: PaymentMethod = {
  type: 'card',
  card: { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2027, wallet: null },
};
const cardWith = (fields: object): PaymentMethod => ({ ...visa, card: { ...visa.card!, ...fields } });

const chargedOn = (on: string) => [{ subscription: 'sub_1', on, money: null }];
const renews = {
  kind: 'renews',
  on: '2027-01-31T23:59:59.000Z',
  until: null,
  charges: chargedOn('2027-01-31T23:59:59.000Z'),
} satisfies Standing;
const said = (paymentMethod: PaymentMethod | null, standing: Standing = renews) =>
  cardOnFileOf({ kind: 'known', value: { standing, paymentMethod, invoices: [] } });

test.each<[string, PaymentMethod | null]>([
  ['Visa •••• 4242, expires 01/2027', visa],
  ['American Express •••• 4242, expires 12/2040', cardWith({ brand: 'amex', expMonth: 12, expYear: 2040 })],
  ['Card •••• 4242, expires 01/2027', cardWith({ brand: 'unknown' })],
  ['Apple Pay, Visa •••• 4242', cardWith({ wallet: 'apple_pay', expYear: 2020 })],
  ['Wallet, Visa •••• 4242', cardWith({ wallet: 'samsung_pay' })],
  ['Paid with Link', { type: 'link', card: null }],
  ['Paid with another payment method', { type: 'sepa_debit', card: null }],
  ['', null],
])('the dashboard says of the means of payment: %s', (sentence, method) => {
  expect(said(method)).toBe(sentence);
});

test('a card is good until the end of its month, and said to expire if the next charge is later', () => {
  const soon = 'Visa •••• 4242 expires 01/2027, before your next charge';
  const february = '2027-02-01T00:00:00.000Z';
  const due = { money: null, paysUntil: february, endsAt: null, payAt: null, charges: chargedOn(february) };
  const failed = { ...due, kind: 'failed', nextTry: null, lostOn: null, cause: null } as const;
  for (const charged of [
    { ...renews, charges: chargedOn(february) },
    { ...failed, nextTry: february, endsAt: february, charges: [] },
    failed,
    { ...due, kind: 'pending', payment: 'soon' },
  ] satisfies Standing[]) {
    expect(said(visa, charged)).toBe(soon);
  }
  for (const uncharged of [
    { kind: 'ends', on: february, renewal: 'free', charges: [] },
    { ...failed, endsAt: february, charges: [] },
  ] satisfies Standing[]) {
    expect(said(visa, uncharged)).toBe('Visa •••• 4242, expires 01/2027');
  }
});

test('nothing is said of a card that could not be read', () => {
  expect(cardOnFileOf({ kind: 'unread', sentence: 'No.' })).toBe('');
  expect(cardOnFileOf({ kind: 'loading' })).toBe('Loading your card...');
});
