import { describe, expect, test } from 'vitest';
import { billingStateFields } from '../../../../../functions/domain/billing-state.ts';
import { decidePlan } from '../../../../../functions/domain/decide-plan.ts';
import type { Subscription } from '../../../../../functions/domain/subscription.ts';
import { payerGroup } from '../../../../../infra/operate/support/payer-groups.ts';
import { UserPlan } from '../../../../../schemas/rows/plan.ts';
import { subscriptionWith } from '../../../../fixtures/fakes/memory-billing.ts';

const now = new Date('2026-02-10T12:00:00Z');
const DAY = 86_400;
const seconds = now.getTime() / 1000;
const price = { id: 'price_2', amount: 900, currency: 'usd', interval: 'month' as const };
const free = UserPlan.parse({ id: 'user', plan: 'free' });

/** The row after a decision, as told `days` ago. */
function rowOf(subscription: Subscription, days?: number, announced = true): UserPlan {
  const decision = decidePlan(free, [subscription], now);
  const announcement = announced ? { ...price, announcedAt: 1 } : undefined;
  const state = billingStateFields(free, decision, [subscription], announcement);
  const seen = JSON.parse(state.billing_seen ?? '{}') as { newPrice?: object };
  const told = {
    ...seen,
    newPrice: days === undefined ? undefined : { ...seen.newPrice, toldAt: seconds - days * DAY },
  };
  return { ...free, ...state, billing_notified: JSON.stringify(told) };
}
const standing = (fields: Partial<Subscription>, days?: number) => {
  const subscription = subscriptionWith(fields);
  return payerGroup(rowOf(subscriptionWith(), days), subscription, price, now);
};

describe('where a payer stands in a change of price', () => {
  test.each<[string, Partial<Subscription>, number | undefined, string | undefined]>([
    ['announced and not mailed', {}, undefined, 'announced'],
    ['told 29 days ago', {}, 29, 'waits'],
    ['told 30 days ago', {}, 30, 'to-move'],
    ['told, then cancelled', { endsAt: Date.UTC(2026, 1, 15) / 1000 }, 31, 'later'],
    ['told, with a failed payment', { status: 'past_due' }, 31, 'later'],
    ['told, in the hour after a renewal', { renewalPending: true }, 31, 'later'],
    ['told, paused by support', { collectionPaused: true }, 31, 'later'],
    ['at the new price', { amount: 900 }, undefined, 'at-price'],
    ['yearly', { interval: 'year' }, undefined, 'other-terms'],
    ['in another currency', { currency: 'eur' }, undefined, 'other-terms'],
    ['changed by support since it was told', { hasSiteTerms: false }, 31, 'other-terms'],
    ['ended', { status: 'canceled' }, 31, undefined],
    ['a duplicate', { duplicate: 'found' }, 31, undefined],
  ])('%s', (_, fields, days, expected) => {
    expect(standing(fields, days)).toBe(expected);
  });

  test('a payer who was told of another price is to be told of this one', () => {
    const subscription = subscriptionWith();
    const row = rowOf(subscription, 31);
    expect(payerGroup(row, subscription, { ...price, id: 'price_3' }, now)).toBe('to-tell');
    expect(payerGroup(rowOf(subscription, undefined, false), subscription, price, now)).toBe('to-tell');
  });

  test('a mail that bounced before the last one does not count', () => {
    const subscription = subscriptionWith();
    const bounced = (days: number) => ({
      ...rowOf(subscription, 31),
      price_notice_bounced_at: new Date(now.getTime() - days * DAY * 1000).toISOString(),
    });
    expect(payerGroup(bounced(30), subscription, price, now)).toBe('bounced');
    expect(payerGroup(bounced(32), subscription, price, now)).toBe('to-move');
  });
});
