import { describe, expect, test } from 'vitest';
import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import { type AskedFacts, notifiedIn, planFacts } from '../../../../functions/domain/plan-facts.ts';
import { dueNotices } from '../../../../functions/domain/plan-notices.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { CANCELED, subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const now = new Date('2026-01-20T12:00:00Z');
const DAY = 86_400;

const ids = { id: 'user', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' };
const payer: UserPlan = { ...ids, plan: 'plus', version: 1 };
const factsOf = (row: UserPlan, subscriptions: Subscription[], asked: AskedFacts = {}) =>
  planFacts(row, decidePlan(row, subscriptions, now), subscriptions, now, asked);
const paidOf = (fields: Partial<Subscription>, asked: AskedFacts = {}) =>
  factsOf(payer, [subscriptionWith(fields)], asked).paid;
const invoice = { ...subscriptionWith().latestInvoice!, isFirst: false, id: 'in_2', paidAt: 1_771_156_900 };
const draft = { ...invoice, id: 'in_3', paidAt: undefined };

describe('the newest payment', () => {
  test('is of the latest invoice, or of the one that Stripe names where another was paid last', () => {
    const dearer = paidOf({ latestInvoice: { ...invoice, amount: 650 } });
    expect(dearer).toMatchObject({ amount: 650, at: 1_771_156_900 });
    for (const latestInvoice of [draft, undefined]) expect(paidOf({ latestInvoice })).toBeUndefined();
    const lastPaid = { ...invoice, paidAt: 1_771_157_000 };
    expect(paidOf({ latestInvoice: draft }, { lastPaid })?.at).toBe(1_771_157_000);
    expect(paidOf({ latestInvoice: invoice }, { lastPaid })?.at).toBe(1_771_157_000);
    const newer = { ...invoice, paidAt: 1_771_158_000 };
    expect(paidOf({ latestInvoice: newer }, { lastPaid })?.at).toBe(newer.paidAt);
  });

  test('is none where a voucher or credit pays a renewal', () => {
    expect(paidOf({ latestInvoice: { ...invoice, amount: 0 } })).toBeUndefined();
    expect(paidOf({ latestInvoice: { ...invoice, amount: 0, isFirst: true } })).toMatchObject({ amount: 0 });
  });

  test('has begun so many whole years after the purchase', () => {
    const { createdAt } = subscriptionWith();
    const yearsAt = (days: number) =>
      paidOf({ latestInvoice: { ...invoice, periodStart: createdAt + days * DAY } })?.years;
    expect([-1, 0, 364, 364.99, 365, 729, 730].map(yearsAt)).toEqual([0, 0, 0, 1, 1, 1, 2]);
  });

  test('stays known after the end, but not what was returned to a user who had declined it', () => {
    expect(paidOf({ state: CANCELED, latestInvoice: invoice })?.at).toBe(invoice.paidAt);
    for (const ended of ['declined', 'unpaid', 'duplicate'] as const)
      expect(paidOf({ state: CANCELED, ended, latestInvoice: invoice })).toBeUndefined();
  });
});

describe('the newest refund', () => {
  const returned = (fields: Partial<Subscription>) =>
    subscriptionWith({ id: 'sub_2', state: CANCELED, refund: 'done', endedAt: 9, ...fields });
  const refundOf = (...subscriptions: Subscription[]) =>
    factsOf(payer, [subscriptionWith(), ...subscriptions]).refunded;
  const duplicate = (createdAt: number, fields: Partial<Subscription> = {}) =>
    returned({ ended: 'duplicate', createdAt, latestInvoice: draft, ...fields });

  test('of the user’s own duplicates is told by the purchase', () => {
    const newest = { at: 3, because: 'duplicate', currency: 'usd' };
    expect(refundOf(duplicate(1), duplicate(3), duplicate(2))).toEqual(newest);
    expect(refundOf(duplicate(4, { userId: 'eve' }))).toBeUndefined();
    expect(refundOf(duplicate(4, { refund: 'due', state: { kind: 'active' } }))).toBeUndefined();
  });

  test('has an amount where the duplicate was paid once', () => {
    expect(refundOf(duplicate(3, { latestInvoice: subscriptionWith().latestInvoice }))?.amount).toBe(500);
    expect(refundOf(duplicate(3, { latestInvoice: invoice }))?.amount).toBeUndefined();
  });

  test('of a payment after the end is told by the end, and of a withdrawal by a mail of its own', () => {
    const late = { at: 9, because: 'late', amount: 500, currency: 'usd' };
    expect(refundOf(returned({ ended: 'declined', latestInvoice: invoice }))).toEqual(late);
    expect(refundOf(returned({ ended: 'withdrawn', latestInvoice: invoice }))).toBeUndefined();
    for (const latestInvoice of [draft, undefined])
      expect(refundOf(returned({ ended: 'declined', latestInvoice }))).not.toHaveProperty('amount');
  });
});

test('the reason of an end is that of the newest subscription that was paid', () => {
  const ended = (fields: Partial<Subscription>) => subscriptionWith({ state: CANCELED, ...fields });
  const reasonOf = (...subscriptions: Subscription[]) => factsOf(payer, subscriptions).ended;
  const failed = ended({ id: 'sub_2', ended: 'unpaid', createdAt: 2 });
  const older = ended({ createdAt: 1 });
  expect([reasonOf(older, failed), reasonOf(failed, older)]).toEqual(['unpaid', 'unpaid']);
  expect(reasonOf(older, { ...failed, state: { kind: 'processing' } })).toBeUndefined();
  expect(reasonOf(older, { ...failed, ended: 'duplicate', refund: 'done' })).toBeUndefined();
  const withdrawn = ended({ id: 'sub_2', ended: 'withdrawn', createdAt: 2 });
  expect(reasonOf(older, { ...withdrawn, refund: 'due' })).toBe('withdrawn');
  const unpaid = ended({ state: { kind: 'unpaid' } });
  expect(reasonOf(unpaid)).toBe('unpaid');
  expect(reasonOf({ ...unpaid, createdAt: 1 }, withdrawn)).toBe('withdrawn');
  expect(reasonOf(ended({ state: { kind: 'given-up', triesEndAt: 0 } }))).toBe('unpaid');
  expect(reasonOf(ended({ ended: 'declined' }))).toBe('declined');
});

test('a row without a word of mails is one whose user was told nothing', () => {
  const nothing = { standing: { kind: 'free', endedAt: null } };
  expect(notifiedIn({})).toEqual({ notified: nothing, maybeNotified: [] });
  expect(dueNotices({ id: 'user', plan: 'free', version: 1 }, factsOf(payer, []), now)).toEqual([]);
  const facts = factsOf(payer, [subscriptionWith()]);
  expect(dueNotices(payer, facts, now).map(({ kind }) => kind)).toEqual(['begun']);
});

// A field of the standing that is added later needs a default: the rows of users keep the older ones.
test('what the first version has written of mails is read', () => {
  const sold = { plan: 'plus', interval: 'month', price: { amount: 500, currency: 'usd' } };
  const on = '2026-02-15T00:00:00.000Z';
  const charge = { subscription: 'sub_1', ...sold, on, money: null };
  const unpaid = { money: null, endsAt: null, paysUntil: on, payAt: null, charges: [] };
  const written = [
    { kind: 'free', endedAt: null },
    { kind: 'processing', ...sold, on: null },
    { kind: 'purchase-failed', on },
    { kind: 'lost', since: on, hasOpenInvoice: false },
    { kind: 'unpaid', payAt: null },
    { kind: 'complimentary', plan: 'plus' },
    { kind: 'renews', ...sold, on, until: null, charges: [charge] },
    { kind: 'paused', on: null, charges: [] },
    { kind: 'ends', on, renewal: 'free', charges: [] },
    { kind: 'pending', payment: 'soon', ...unpaid },
    { kind: 'failed', nextTry: null, lostOn: null, cause: null, ...unpaid },
    { kind: 'invoiced', payAt: null, endsAt: null, charges: [] },
  ].map((standing) => ({
    standing,
    paid: { plan: 'plus', at: 1, amount: 500, currency: 'usd', isFirst: true, years: 0 },
    refunded: { at: 1, because: 'duplicate', currency: 'usd' },
    announced: true,
    reminded: on,
  }));
  const [first] = written;
  const row = { billing_notified: JSON.stringify(first), billing_maybe_notified: JSON.stringify(written) };
  expect(notifiedIn(row)).toEqual({ notified: first, maybeNotified: written });
});
