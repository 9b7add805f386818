import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import { standingOf } from '../../../../functions/domain/standing.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Invoice } from '../../../../schemas/shapes/invoice.ts';
import { PRICE } from '../../../fixtures/fakes/main-offer.ts';
import { CANCELED, subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const DAY = 86_400;
const endedAt = Date.UTC(2026, 0, 20) / 1000;
const now = new Date((endedAt + DAY) * 1000);
const ENDED = '2026-01-20T00:00:00.000Z';
const PERIOD_END = '2026-02-15T00:00:00.000Z';
const LATER = Date.UTC(2026, 4, 1) / 1000;
const price = { amount: PRICE, currency: 'usd' };
const sold = { plan: 'plus', interval: 'month', price } as const;
const row: UserPlan = { id: 'user', plan: 'free', billing_customer_id: 'cus_1', version: 1 };
const complimentary: UserPlan = { ...row, plan: 'plus' };
const ending: UserPlan = { ...complimentary, plan_expires_at: '2026-01-31T23:59:59.999Z' };
const PAY_AT = 'https://invoice.stripe.com/i/2';
const open: Invoice = {
  number: 'A-0002',
  date: PERIOD_END,
  amount: 250,
  currency: 'usd',
  status: 'open',
  hosted_invoice_url: PAY_AT,
  invoice_pdf: null,
};
/** A renewal's invoice, of which a voucher pays a half. */
const halved = { ...subscriptionWith().latestInvoice!, isFirst: false, paidAt: undefined, amount: 250 };

let created = subscriptionWith().createdAt;
/** Each subscription is created a second after the previous one. */
const bought = (fields: Partial<Subscription> = {}): Subscription => {
  created += 1;
  return subscriptionWith({ id: `sub_${created}`, createdAt: created, ...fields });
};
const of = (...subscriptions: Subscription[]) => standingOf(row, subscriptions, now, { invoices: [open] });

const CHARGED_ON = '2026-02-15T01:00:00.000Z';
const due = {
  ...sold,
  money: { amount: 250, currency: 'usd' },
  endsAt: null,
  paysUntil: PERIOD_END,
  payAt: PAY_AT,
};
const renews = {
  kind: 'renews',
  ...sold,
  on: PERIOD_END,
  until: null,
  chargedOn: CHARGED_ON,
  money: null,
};

describe('the standing of a user with a subscription', () => {
  test.each<[string, Partial<Subscription>, object]>([
    ['that renews', {}, renews],
    ['without a fixed price', { amount: undefined }, { ...renews, price: undefined }],
    ['of an interval that is not sold', { interval: 'week' }, { ...renews, interval: undefined }],
    ['with an end after renewals', { endsAt: LATER }, { ...renews, until: '2026-05-01T00:00:00.000Z' }],
    [
      'that ends',
      { endsAt: Date.UTC(2026, 1, 15) / 1000 },
      { kind: 'ends', ...sold, on: PERIOD_END, renewal: 'free' },
    ],
    ['with paused payments', { state: { kind: 'uncollected' } }, { kind: 'paused', ...sold, on: PERIOD_END }],
    [
      'with paused payments, that ends',
      { state: { kind: 'uncollected' }, endsAt: LATER },
      { kind: 'ends', ...sold, on: '2026-05-01T00:00:00.000Z', renewal: 'free' },
    ],
    [
      'whose renewal is about to be charged, by its invoice',
      { state: { kind: 'renewing' }, latestInvoice: halved },
      { kind: 'pending', ...due, payment: 'soon', dueOn: null },
    ],
    [
      'whose renewal Stripe should have begun to charge more than an hour ago',
      { state: { kind: 'renewing' }, latestInvoice: { ...halved, collectedAt: endedAt } },
      { kind: 'pending', ...due, payment: 'delayed', dueOn: null },
    ],
    [
      'whose invoice support has sent by mail, before and after its due date',
      { state: { kind: 'invoiced', isPastDue: true }, latestInvoice: { ...halved, dueAt: LATER } },
      { kind: 'pending', ...due, payment: 'soon', dueOn: '2026-05-01T00:00:00.000Z' },
    ],
    [
      'whose renewal failed, by its invoice',
      { state: { kind: 'past-due', nextTryAt: endedAt }, latestInvoice: halved, endsAt: LATER },
      { kind: 'failed', ...due, endsAt: '2026-05-01T00:00:00.000Z', nextTry: ENDED },
    ],
  ])('%s', (_, fields, expected) => {
    expect(of(bought(fields))).toEqual(expected);
  });

  test('says the next charge as Stripe expects it', () => {
    const next = { at: LATER, amount: 250, currency: 'usd' };
    expect(standingOf(row, [bought()], now, { next })).toEqual({
      ...renews,
      chargedOn: '2026-05-01T00:00:00.000Z',
      money: { amount: 250, currency: 'usd' },
    });
  });

  test('says whether the bank is processing a renewal, whose invoice is then not to be paid', () => {
    const read = (fields: Partial<Subscription>) =>
      standingOf(row, [bought({ latestInvoice: halved, ...fields })], now, {
        invoices: [{ ...open, processing: true }],
      });
    expect(read({ state: { kind: 'renewing' } })).toMatchObject({ kind: 'pending', payment: 'processing' });
    expect(read({ state: { kind: 'past-due' } })).toMatchObject({ kind: 'failed', payAt: null });
  });
});

const lost = { state: CANCELED, endedAt, ended: 'unpaid' } as const;
const failed = { state: { kind: 'canceled', firstPayment: 'failed' }, endedAt } as const;
const awaited = { state: { kind: 'processing' } } as const;
const declined = { state: { kind: 'expired' }, endedAt } as const;
const wasLost = { kind: 'lost', ...sold, since: ENDED, hasOpenInvoice: true };

describe('the standing of a user on Free', () => {
  test.each<[string, Partial<Subscription>[], object]>([
    ['who never bought anything', [], { kind: 'free', endedAt: null }],
    ['whose purchase was declined at once', [declined], { kind: 'free', endedAt: null }],
    [
      'who had cancelled',
      [{ state: CANCELED, endedAt, endsAt: endedAt }, declined],
      { kind: 'free', ...sold, endedAt: ENDED },
    ],
    [
      'who has withdrawn',
      [{ state: CANCELED, endedAt, ended: 'withdrawn', refund: 'done' }],
      { kind: 'free', ...sold, endedAt: ENDED },
    ],
    ['whose payments failed', [lost], wasLost],
    [
      'whose payments failed, and who tried again',
      [lost, { state: { kind: 'incomplete' } }, declined],
      wasLost,
    ],
    [
      'whose payments failed after the end was set',
      [{ ...lost, endsAt: endedAt }],
      { kind: 'free', ...sold, endedAt: ENDED },
    ],
    [
      'whose payments failed, and a duplicate’s',
      [{ ...lost, ended: 'duplicate', refund: 'none' }],
      { kind: 'free', endedAt: null },
    ],
    [
      'who bought again and cancelled',
      [lost, { state: CANCELED, endedAt }],
      { kind: 'free', ...sold, endedAt: ENDED },
    ],
    ['whose payments failed, with a new one under way', [lost, awaited], { kind: 'processing', ...sold }],
    ['whose purchase is processed', [failed, awaited], { kind: 'processing', ...sold }],
    [
      'whose processed purchase is a duplicate',
      [{ ...awaited, ended: 'duplicate', refund: 'due' }],
      { kind: 'free', endedAt: null },
    ],
    ['who owes an invoice', [{ state: { kind: 'unpaid' } }], { kind: 'unpaid', ...sold, payAt: PAY_AT }],
    [
      'of whom Stripe collects no more',
      [{ state: { kind: 'given-up', triesEndAt: 0 } }],
      { kind: 'unpaid', ...sold, payAt: PAY_AT },
    ],
    [
      'whom support has paused, and whose next purchase failed',
      [{ state: { kind: 'paused' } }, failed],
      { kind: 'paused', ...sold, on: null },
    ],
    [
      'whose ended one was paused before',
      [{ state: CANCELED, endedAt }],
      { kind: 'free', ...sold, endedAt: ENDED },
    ],
  ])('%s', (_, subscriptions, expected) => {
    expect(of(...subscriptions.map(bought))).toEqual(expected);
  });

  test('tells of a purchase that failed for thirty days', () => {
    const before = bought(lost);
    const running = bought({ state: { kind: 'never-paid' } });
    const on = new Date(running.createdAt * 1000).toISOString();
    expect(of(running)).toEqual({ kind: 'purchase-failed', ...sold, on });
    const at = (seconds: number) =>
      standingOf(row, [before, { ...running, ...failed }], new Date(seconds * 1000));
    expect(at(endedAt + 30 * DAY - 1)).toMatchObject({ kind: 'purchase-failed' });
    expect(at(endedAt + 30 * DAY)).toMatchObject({ kind: 'lost', hasOpenInvoice: false });
  });
});

describe('the standing of a complimentary plan', () => {
  test.each<[string, UserPlan, Partial<Subscription>[], object]>([
    ['goes on', complimentary, [], { kind: 'complimentary', plan: 'plus' }],
    [
      'goes on beside failed payments',
      complimentary,
      [lost, failed],
      { kind: 'complimentary', plan: 'plus' },
    ],
    [
      'goes on beside an unpaid subscription',
      complimentary,
      [{ state: { kind: 'unpaid' } }],
      { kind: 'complimentary', plan: 'plus' },
    ],
    ['ends', ending, [], { kind: 'ends', plan: 'plus', on: ending.plan_expires_at, renewal: 'purchase' }],
    ['ends, with a purchase under way', ending, [awaited], { kind: 'processing', ...sold }],
  ])('%s', (_, from, subscriptions, expected) => {
    expect(standingOf(from, subscriptions.map(bought), now)).toEqual(expected);
  });
});
