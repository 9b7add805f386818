import { expect, test } from 'vitest';
import { billingStateFields, statesOf } from '../../../../functions/domain/billing-state.ts';
import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import { type PlanNoticeKind, planNotices } from '../../../../functions/domain/plan-notices.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { CANCELED, subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const now = new Date('2026-01-20T12:00:00Z');
const DAY = 86_400;

const payer: UserPlan = {
  id: 'user',
  plan: 'plus',
  stripe_subscription_id: 'sub_1',
  stripe_customer_id: 'cus_1',
  version: 1,
};
const stateAfter = (row: UserPlan, ...subscriptions: Subscription[]) => {
  const decision = decidePlan(row, subscriptions, now);
  const state = billingStateFields(row, decision, subscriptions, now);
  return { row: { ...row, ...decision.fields, ...state }, state };
};
const newsOf = (row: UserPlan): PlanNoticeKind[] => {
  const after = statesOf(row);
  return after ? planNotices(after.notified, after.seen, now).map(({ kind }) => kind) : [];
};
const seenOf = (row: UserPlan, ...subscriptions: Subscription[]) =>
  statesOf(stateAfter(row, ...subscriptions).row)?.seen;
const invoice = { ...subscriptionWith().latestInvoice!, isFirst: false, id: 'in_2' };

test('a user who never bought anything has no state, and a user who was mailed something once keeps one', () => {
  const row = { id: 'user', plan: 'free', version: 1 } as const;
  expect(stateAfter(row).state).toEqual({});
  const mailed = JSON.stringify({ plan: 'free' });
  expect(stateAfter({ ...row, billing_seen: mailed, billing_notified: mailed }).state).toEqual({
    billing_seen: mailed,
  });
});

test('a decision never replaces what was mailed', () => {
  const { row } = stateAfter(payer, subscriptionWith());
  expect(stateAfter(row, subscriptionWith({ endsAt: 1_771_156_800 })).state).not.toHaveProperty(
    'billing_notified',
  );
});

test('a payment stays known while the next invoice is a draft', () => {
  const { row: bought } = stateAfter(payer, subscriptionWith());
  const row = { ...bought, billing_notified: bought.billing_seen };
  const draft = subscriptionWith({
    state: { kind: 'renewing' },
    latestInvoice: { ...invoice, paidAt: undefined },
  });
  const { row: during } = stateAfter(row, draft);
  expect(newsOf(during)).toEqual([]);
  expect(statesOf(during)?.seen.nextCharge).toBeUndefined();
  const renewed = subscriptionWith({ latestInvoice: { ...invoice, paidAt: 1_771_156_900, amount: 650 } });
  const { row: after } = stateAfter(during, renewed);
  expect(newsOf(after)).toEqual(['renewed']);
  expect(statesOf(after)?.seen.paid).toMatchObject({ amount: 650, at: 1_771_156_900 });
});

test('Plus ends for the reason that Stripe gives', () => {
  const { row } = stateAfter(payer, subscriptionWith());
  const reasonOf = (fields: Partial<Subscription>, from = row) =>
    statesOf(stateAfter(from, subscriptionWith({ state: CANCELED, ...fields })).row)?.seen.ended;
  expect(reasonOf({})).toBe('other');
  expect(reasonOf({ ended: 'unpaid' })).toBe('unpaid');
  expect(reasonOf({ state: { kind: 'given-up', triesEndAt: 0 } })).toBe('unpaid');
  expect(reasonOf({ ended: 'declined' })).toBe('declined');
  expect(reasonOf({ state: { kind: 'paused' } })).toBe('paused');
  const { row: ending } = stateAfter(row, subscriptionWith({ endsAt: 1_771_156_800 }));
  expect(reasonOf({}, ending)).toBe('scheduled');
});

test('a plan that support pauses is mailed as paused, and once more if it ends', () => {
  const { row: bought } = stateAfter(payer, subscriptionWith());
  const mailed = (row: UserPlan) => ({ ...row, billing_notified: row.billing_seen });
  const { row: paused } = stateAfter(mailed(bought), subscriptionWith({ state: { kind: 'paused' } }));
  expect(newsOf(paused)).toEqual(['ended']);
  const { row: ended } = stateAfter(mailed(paused), subscriptionWith({ state: CANCELED }));
  expect(statesOf(ended)?.seen.ended).toBe('canceled');
  expect(newsOf(ended)).toEqual(['ended']);
  const { row: resumed } = stateAfter(mailed(paused), subscriptionWith());
  expect(newsOf(resumed)).toEqual(['kept']);
});

test('the amount of a refund is named where the duplicate was paid once', () => {
  const { row } = stateAfter(payer, subscriptionWith());
  const refundOf = (latestInvoice: Subscription['latestInvoice']) => {
    const duplicate = {
      id: 'sub_2',
      state: CANCELED,
      ended: 'duplicate',
      refund: 'done',
      latestInvoice,
    } as const;
    return statesOf(stateAfter(row, subscriptionWith(), subscriptionWith(duplicate)).row)?.seen.refunded;
  };
  expect(refundOf(subscriptionWith().latestInvoice)?.amount).toBe(500);
  expect(refundOf(invoice)).toEqual({ boughtAt: subscriptionWith().createdAt, currency: 'usd' });
});

test('a state is read once there is something to tell, and what was mailed of it', () => {
  const text = JSON.stringify({ plan: 'plus' });
  expect(statesOf({ billing_seen: text })).toBeUndefined();
  expect(statesOf({ billing_notified: text })).toBeUndefined();
  expect(statesOf({ billing_seen: text, billing_notified: text })?.maybeNotified).toEqual([]);
});

test('a paid period has begun so many whole years after the purchase', () => {
  const { createdAt } = subscriptionWith();
  const yearsAt = (days: number) =>
    seenOf(payer, subscriptionWith({ latestInvoice: { ...invoice, periodStart: createdAt + days * DAY } }))
      ?.paid?.years;
  expect([-1, 0, 364, 364.99, 365, 729, 730].map(yearsAt)).toEqual([0, 0, 0, 1, 1, 1, 2]);
});

test('the newest payment stays known, whatever Stripe lists later', () => {
  const paid = { ...invoice, paidAt: 1_771_156_900 };
  const { row } = stateAfter(payer, subscriptionWith({ latestInvoice: paid }));
  for (const latestInvoice of [
    undefined,
    { ...paid, paidAt: undefined },
    { ...paid, id: 'in_1', paidAt: paid.paidAt - 1 },
    { ...paid, id: 'in_3' },
  ]) {
    expect(seenOf(row, subscriptionWith({ latestInvoice }))?.paid?.invoice).toBe('in_2');
  }
});

test('a payment has failed while it is past due and its invoice is open', () => {
  const open = { ...invoice, paidAt: undefined, url: 'https://pay.example' };
  const state = { kind: 'past-due', nextTryAt: 7, triesEndAt: 9 } as const;
  const failure = { state, latestInvoice: open };
  const failedOf = (fields: Partial<Subscription>) =>
    seenOf(payer, subscriptionWith({ ...failure, ...fields }))?.failed;
  expect(failedOf({})).toEqual({
    invoice: 'in_2',
    amount: 500,
    currency: 'usd',
    url: 'https://pay.example',
    nextTryAt: 7,
    triesEndAt: 9,
  });
  expect(failedOf({ state: { kind: 'active' } })).toBeUndefined();
  expect(failedOf({ latestInvoice: undefined })).toBeUndefined();
  expect(failedOf({ latestInvoice: { ...open, paidAt: 5 } })).toBeUndefined();
});

test('the newest refund of the user’s own duplicates is known', () => {
  const duplicate = (createdAt: number, fields: Partial<Subscription> = {}) =>
    subscriptionWith({
      id: `sub_${createdAt}`,
      state: CANCELED,
      ended: 'duplicate',
      refund: 'done',
      createdAt,
      ...fields,
    });
  const refundOf = (row: UserPlan, ...duplicates: Subscription[]) =>
    seenOf(row, subscriptionWith(), ...duplicates)?.refunded?.boughtAt;
  expect(refundOf(payer, duplicate(1), duplicate(3), duplicate(2))).toBe(3);
  expect(refundOf(payer, duplicate(3), duplicate(1))).toBe(3);
  expect(refundOf(payer, duplicate(4, { userId: 'eve' }))).toBeUndefined();
  expect(
    refundOf(payer, duplicate(4, { ended: 'duplicate', refund: 'due', state: { kind: 'active' } })),
  ).toBeUndefined();
  const { row } = stateAfter(payer, subscriptionWith(), duplicate(3));
  expect(refundOf(row)).toBe(3);
  expect(refundOf(row, duplicate(2))).toBe(3);
  expect(refundOf(row, duplicate(4))).toBe(4);
  expect(seenOf(row, subscriptionWith(), duplicate(3, { currency: 'eur' }))?.refunded?.currency).toBe('usd');
});

test('the reason of an end is that of the newest subscription that was paid', () => {
  const { row } = stateAfter(payer, subscriptionWith());
  const ended = (fields: Partial<Subscription>) => subscriptionWith({ state: CANCELED, ...fields });
  const reasonOf = (...subscriptions: Subscription[]) => seenOf(row, ...subscriptions)?.ended;
  const failed = ended({ id: 'sub_2', ended: 'unpaid', createdAt: 2 });
  const older = ended({ createdAt: 1 });
  expect([reasonOf(older, failed), reasonOf(failed, older)]).toEqual(['unpaid', 'unpaid']);
  expect(reasonOf(older, { ...failed, state: { kind: 'processing' } })).toBe('other');
  expect(reasonOf(older, { ...failed, ended: 'duplicate', refund: 'done' })).toBe('other');
  expect(reasonOf(older, ended({ id: 'sub_2', ended: 'withdrawn', refund: 'due', createdAt: 2 }))).toBe(
    'withdrawn',
  );
  expect(reasonOf(ended({ state: { kind: 'unpaid' } }))).toBe('unpaid');
  const until = '2026-01-19T12:00:00.000Z';
  const complimentary = { id: 'user', plan: 'plus', plan_expires_at: until, version: 1 } as const;
  expect(seenOf(complimentary, failed)?.ended).toBe('scheduled');
});
