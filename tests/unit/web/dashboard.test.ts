import { describe, expect, test } from 'vitest';
import type { BillingOverview } from '../../../schemas/billing.ts';
import type { Invoice } from '../../../schemas/invoice.ts';
import { type KnownPlan, nextChargeOf } from '../../../web/src/routes/dashboard/next-charge.ts';
import { paymentNewsOf } from '../../../web/src/routes/dashboard/payment-news.ts';

const subscription: NonNullable<BillingOverview['subscription']> = {
  status: 'active',
  currentPeriodEnd: '2026-12-31T12:00:00.000Z',
  endsAt: null,
  amount: 500,
  currency: 'usd',
  nextTry: null,
  paymentDue: false,
};
const nothing: BillingOverview = { subscription: null, lostAt: null, invoices: [] };
const open: Invoice = {
  number: 'A-0002',
  date: '2026-12-01T00:00:00.000Z',
  amount: 500,
  currency: 'usd',
  status: 'open',
  hosted_invoice_url: 'https://invoice.stripe.com/i/2',
  invoice_pdf: null,
};
const paid: Invoice = { ...open, status: 'paid', hosted_invoice_url: 'https://invoice.stripe.com/i/1' };
const nextTry = '2026-12-04T09:00:00.000Z';
const due: BillingOverview = {
  ...nothing,
  subscription: { ...subscription, status: 'past_due', nextTry },
  invoices: [paid, open],
};

describe('what the dashboard says about payments', () => {
  test('is nothing to a user who has bought nothing, who pays, or who has cancelled', () => {
    expect(paymentNewsOf(nothing, false)).toEqual({ kind: 'none' });
    expect(paymentNewsOf({ ...nothing, subscription }, false)).toEqual({ kind: 'none' });
    const endsAt = subscription.currentPeriodEnd;
    expect(paymentNewsOf({ ...nothing, subscription: { ...subscription, endsAt } }, false)).toEqual({
      kind: 'none',
    });
  });

  test.each([true, false])(
    'is when Stripe tries again, and where the open invoice is paid (a new card was taken: %s)',
    (cardTaken) => {
      const payAt = open.hosted_invoice_url;
      expect(paymentNewsOf(due, cardTaken)).toEqual({ kind: 'due', nextTry, payAt, cardTaken });
    },
  );

  test('is that a new card was taken, only to a user whose subscription is paid with it', () => {
    expect(paymentNewsOf({ ...nothing, subscription }, true)).toEqual({ kind: 'card-taken' });
    expect(paymentNewsOf(nothing, true)).toEqual({ kind: 'none' });
  });

  test('is how Plus comes back if Stripe has stopped trying', () => {
    const unpaid = { ...due, subscription: { ...subscription, status: 'unpaid' } };
    expect(paymentNewsOf(unpaid, true)).toEqual({ kind: 'paused', payAt: open.hosted_invoice_url });
  });

  test('is since when Plus is lost, whatever the address says', () => {
    expect(paymentNewsOf({ ...nothing, lostAt: nextTry }, true)).toEqual({ kind: 'lost', since: nextTry });
  });
});

describe('the next charge', () => {
  const on = '2026-12-31T23:59:59.999Z';
  const known = (overview: Partial<BillingOverview>) => ({
    kind: 'known' as const,
    overview: { ...nothing, ...overview },
  });
  const ofPlan = (kind: 'free' | 'plus' | 'ending'): KnownPlan =>
    kind === 'ending' ? { kind, on } : { kind };

  test.each([
    ['is none on Free', 'free', known({}), { kind: 'none' }],
    [
      'is the subscription’s own price at the end of its period',
      'plus',
      known({ subscription: { ...subscription, amount: 400 } }),
      { kind: 'renews', on: subscription.currentPeriodEnd, amount: '$4.00' },
    ],
    [
      'has no amount if the price has none',
      'plus',
      known({ subscription: { ...subscription, amount: null } }),
      { kind: 'renews', on: subscription.currentPeriodEnd, amount: null },
    ],
    ['is due if the payment failed', 'plus', known(due), { kind: 'due', amount: '$5.00' }],
    ['is due also if the plan ends', 'ending', known(due), { kind: 'due', amount: '$5.00' }],
    ['is none if the plan ends', 'ending', known({ subscription }), { kind: 'ends', on }],
    ['is none for a complimentary plan', 'plus', known({}), { kind: 'complimentary' }],
    [
      'is unknown, and not none, if it could not be read',
      'plus',
      { kind: 'unread' as const, sentence: 'No.' },
      { kind: 'unread' },
    ],
    [
      'is not needed to say when a plan ends',
      'ending',
      { kind: 'unread' as const, sentence: 'No.' },
      { kind: 'ends', on },
    ],
  ] as const)('%s', (_, kind, billing, charge) => {
    expect(nextChargeOf(ofPlan(kind), billing)).toEqual(charge);
  });
});
