import { expect, test } from 'vitest';
import { activeSubscription } from '../../functions/domain/decide-plan.ts';
import type { Subscription } from '../../functions/domain/subscription.ts';
import { offerNamed, offers, paidNames, paidPlans } from '../../schemas/product/offers.ts';
import { subscriptionWith } from '../fixtures/fakes/memory-billing.ts';

const [plus, pro] = paidPlans.map((plan, index) =>
  subscriptionWith({ id: `sub_${plan}`, plan, createdAt: index }),
) as [Subscription, Subscription];

test('of two paid subscriptions, the plan of the higher rank is preferred, also to the one in the row', () => {
  expect(activeSubscription([plus, pro], { stripe_subscription_id: plus.id })).toBe(pro);
  expect(activeSubscription([plus, { ...pro, state: { kind: 'past-due' } }])).toBe(plus);
});

test('a request names an offer by plan and interval, and by the plan alone its first offer', () => {
  expect([offerNamed('PLUS'), offerNamed('plus', 'year'), offerNamed('pro', 'month')]).toEqual(offers);
  expect([offerNamed('pro', 'year'), offerNamed('free'), offerNamed('team')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('sentences about any paid plan name all', () => {
  expect(paidNames).toBe('Plus or Pro');
});
