import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import {
  endIn,
  givesPlan,
  isComplimentaryIn,
  isPlanPaused,
  standingOf,
} from '../../../../functions/domain/standing.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Standing } from '../../../../schemas/shapes/standing.ts';
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
/** A renewal's invoice, of which a voucher pays a half. */
const renewal = { ...subscriptionWith().latestInvoice!, isFirst: false, paidAt: undefined };
const halved = { ...renewal, amount: 250, url: PAY_AT };

let created = subscriptionWith().createdAt;
/** Each subscription is created a second after the previous one. */
const bought = (fields: Partial<Subscription> = {}): Subscription => {
  created += 1;
  return subscriptionWith({ id: `sub_${created}`, createdAt: created, ...fields });
};
const of = (...subscriptions: Subscription[]) => standingOf(row, subscriptions, now);

/** The charge of the next renewal. */
const charge = { subscription: 'sub_1', ...sold, on: PERIOD_END, money: null };
const half = { amount: 250, currency: 'usd' };
const due = { ...sold, money: half, endsAt: null, paysUntil: PERIOD_END, payAt: PAY_AT, charges: [charge] };
const UNTIL = '2026-05-01T00:00:00.000Z';
const renews = { kind: 'renews', ...sold, on: PERIOD_END, until: null, charges: [charge] };
const pending = { kind: 'pending', ...due, payment: 'soon' };
const failing = { kind: 'failed', ...due, nextTry: null, lostOn: null, cause: null };
const ends = (on: string) => ({ kind: 'ends', ...sold, on, renewal: 'free', charges: [] });

const paused = (on: string | null) => ({ kind: 'paused', ...sold, on, charges: [] });
const renewing = { kind: 'renewing' } as const;
const uncollected = { kind: 'uncollected' } as const;

describe('the standing of a user with a subscription', () => {
  test.each<[string, Partial<Subscription>, object]>([
    ['that renews', {}, renews],
    [
      'without a fixed price',
      { amount: undefined },
      { ...renews, price: undefined, charges: [{ ...charge, price: undefined }] },
    ],
    [
      'of an interval that is not sold',
      { interval: 'week' },
      { ...renews, interval: undefined, charges: [{ ...charge, interval: undefined }] },
    ],
    ['with an end after renewals', { endsAt: LATER }, { ...renews, until: UNTIL }],
    ['that ends', { endsAt: Date.UTC(2026, 1, 15) / 1000 }, ends(PERIOD_END)],
    ['with paused payments', { state: uncollected }, paused(PERIOD_END)],
    ['with paused payments, that ends', { state: uncollected, endsAt: LATER }, ends(UNTIL)],
    ['whose renewal is about to be charged', { state: renewing, dueInvoice: halved }, pending],
    [
      'whose renewal has no known amount',
      { state: renewing, amount: undefined },
      { ...pending, money: null, price: undefined, payAt: null, charges: [{ ...charge, price: undefined }] },
    ],
    ...[-3_601, -3_600, 3_600, 3_601].map((seconds): [string, Partial<Subscription>, object] => [
      `whose renewal Stripe begins to charge after ${seconds} seconds`,
      { state: renewing, dueInvoice: { ...halved, collectedAt: endedAt + DAY + seconds } },
      { ...pending, payment: Math.abs(seconds) > 3_600 ? 'delayed' : 'soon' },
    ]),
    [
      'whose invoices Stripe mails',
      { state: { kind: 'invoiced' }, dueInvoice: halved, endsAt: LATER },
      { kind: 'invoiced', ...sold, payAt: PAY_AT, endsAt: UNTIL, charges: [] },
    ],
    [
      'whose renewal failed, by its invoice',
      { state: { kind: 'past-due', nextTryAt: endedAt }, dueInvoice: halved, endsAt: LATER },
      { ...failing, endsAt: UNTIL, nextTry: ENDED },
    ],
    [
      'whose renewal is not tried again',
      { state: { kind: 'past-due', triesEndAt: LATER }, dueInvoice: halved },
      { ...failing, lostOn: UNTIL },
    ],
  ])('%s', (_, fields, expected) => {
    expect(of(bought({ id: 'sub_1', ...fields }))).toEqual(expected);
  });

  test('says the next charge as Stripe expects it, and why a payment failed', () => {
    const asked = { next: new Map([['sub_1', half]]), cause: 'confirm' } as const;
    const read = (fields: Partial<Subscription> = {}) =>
      standingOf(row, [bought({ id: 'sub_1', ...fields })], now, asked);
    expect(read()).toEqual({ ...renews, charges: [{ ...charge, money: half }] });
    expect(read({ state: { kind: 'past-due' } })).toMatchObject({ kind: 'failed', cause: 'confirm' });
  });

  test('says whether the bank is processing a renewal, whose invoice is then not to be paid', () => {
    const read = (fields: Partial<Subscription>) =>
      standingOf(row, [bought({ dueInvoice: halved, ...fields })], now, { isProcessing: true });
    expect(read({ state: { kind: 'renewing' } })).toMatchObject({ kind: 'pending', payment: 'processing' });
    expect(read({ state: { kind: 'past-due' } })).toMatchObject({ kind: 'failed', payAt: null });
  });
});

describe('the standing of a user for whom support has made a second subscription', () => {
  const LAST = Date.UTC(2026, 2, 1) / 1000;
  const own = (fields: Partial<Subscription> = {}) => bought({ id: 'sub_1', ...fields });
  const supports = (fields: Partial<Subscription> = {}) =>
    bought({ id: 'sub_2', userId: undefined, currentPeriodEnd: LAST, ...fields });
  const second = { ...charge, subscription: 'sub_2', on: '2026-03-01T00:00:00.000Z' };
  const ofBoth = (...subscriptions: Subscription[]) =>
    standingOf({ ...row, id: 'user', stripe_subscription_id: 'sub_1' }, subscriptions, now);

  test('names both charges, the next one first', () => {
    const [one, other] = [own(), supports()];
    const both = { ...renews, on: second.on, charges: [charge, second] };
    expect([ofBoth(one, other), ofBoth(other, one)]).toEqual([both, both]);
  });

  test('names no charge of a duplicate, and no period of one that has ended', () => {
    const duplicate = own({ id: 'sub_3', currentPeriodEnd: LAST });
    expect(ofBoth(own(), duplicate)).toEqual(renews);
    expect(ofBoth(own(), supports({ state: CANCELED }))).toEqual(renews);
  });

  test('goes on while the other renews, and ends with the last', () => {
    const end = Date.UTC(2026, 1, 15) / 1000;
    expect(ofBoth(own({ endsAt: end }), supports())).toEqual({ ...renews, on: second.on, charges: [second] });
    expect(ofBoth(own({ endsAt: end }), supports({ endsAt: LAST }))).toEqual(ends(second.on));
  });
});

const lost = { state: CANCELED, endedAt, ended: 'unpaid' } as const;
const failed = { state: { kind: 'canceled', firstPayment: 'failed' }, endedAt } as const;
const awaited = { state: { kind: 'processing' } } as const;
const tried = { state: { kind: 'incomplete' } } as const;
const declined = { state: { kind: 'expired' }, endedAt } as const;
const wasLost = { kind: 'lost', ...sold, since: ENDED, hasOpenInvoice: true };
const owes = (payAt: string | null) => ({ kind: 'unpaid', ...sold, payAt });
const neverPaid = { kind: 'free', endedAt: null };
const hadPaid = { kind: 'free', ...sold, endedAt: ENDED };
const processing = { kind: 'processing', ...sold, on: null };

describe('the standing of a user on Free', () => {
  test.each<[string, Partial<Subscription>[], object]>([
    ['who never bought anything', [], neverPaid],
    ['whose purchase was declined at once', [declined], neverPaid],
    ['who had cancelled', [{ state: CANCELED, endedAt, endsAt: endedAt }, declined], hadPaid],
    ['who has withdrawn', [{ state: CANCELED, endedAt, ended: 'withdrawn', refund: 'done' }], hadPaid],
    ['whose payments failed', [lost], wasLost],
    ['whose payments failed, and who tried again', [lost, tried, declined], wasLost],
    ['whose payments failed after the end was set', [{ ...lost, endsAt: endedAt }], hadPaid],
    ['whose duplicate’s payments failed', [{ ...lost, ended: 'duplicate', refund: 'none' }], neverPaid],
    ['who bought again and cancelled', [lost, { state: CANCELED, endedAt }], hadPaid],
    ['whose payments failed, with a new one under way', [lost, awaited], processing],
    ['whose purchase is processed', [failed, awaited], processing],
    ['whose processed one is a duplicate', [{ ...awaited, ended: 'duplicate', refund: 'due' }], neverPaid],
    ['who owes an invoice', [{ state: { kind: 'unpaid' }, dueInvoice: halved }], owes(PAY_AT)],
    ['of whom Stripe collects no more', [{ state: { kind: 'given-up', triesEndAt: 0 } }], owes(null)],
    [
      'whom support has paused, and whose next one failed',
      [{ state: { kind: 'paused' } }, failed],
      paused(null),
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
    expect(at(endedAt + 30 * DAY)).toMatchObject({ kind: 'lost', hasOpenInvoice: true });
  });
});

describe('the standing of a complimentary plan', () => {
  const goesOn = { kind: 'complimentary', plan: 'plus' };
  const on = ending.plan_expires_at;

  test.each<[string, UserPlan, Partial<Subscription>[], object]>([
    ['goes on', complimentary, [], goesOn],
    ['goes on beside failed payments', complimentary, [lost, failed], goesOn],
    ['goes on beside an unpaid subscription', complimentary, [{ state: { kind: 'unpaid' } }], goesOn],
    ['ends', ending, [], { kind: 'ends', plan: 'plus', on, renewal: 'purchase', charges: [] }],
    ['ends, with a purchase under way', ending, [awaited], { ...processing, on }],
  ])('%s', (_, from, subscriptions, expected) => {
    expect(standingOf(from, subscriptions.map(bought), now)).toEqual(expected);
  });
});

const plan = 'plus';
test.each<[string, Standing, boolean, boolean, boolean, string | undefined]>([
  ['a purchase under way', { kind: 'processing', plan, on: null }, false, false, false, undefined],
  ['one beside a complimentary plan', { kind: 'processing', plan, on: UNTIL }, true, true, false, UNTIL],
  ['a paused plan', { kind: 'paused', plan, on: null, charges: [] }, false, false, true, undefined],
  ['paused payments', { kind: 'paused', plan, on: UNTIL, charges: [] }, true, false, false, undefined],
  ['a failed purchase', { kind: 'purchase-failed', plan, on: UNTIL }, false, false, false, undefined],
])('%s: whether it gives a plan, without payment or paused, and its end', (_, standing, ...expected) => {
  const answers = [givesPlan(standing), isComplimentaryIn(standing), isPlanPaused(standing), endIn(standing)];
  expect(answers).toEqual(expected);
});
