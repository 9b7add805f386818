import { expect, test } from 'vitest';
import { planContradictions } from '../../../../functions/domain/plan-contradictions.ts';
import type { PlanFields } from '../../../../functions/domain/plan.ts';
import type { PlanRule } from '../../../../schemas/config/log-events.ts';

const end = { plan_expires_at: '2026-02-15T00:00:00.000Z' };
const subscription = { stripe_subscription_id: 'sub_1' };
const both = { ...end, ...subscription };
const customer = { stripe_customer_id: 'cus_1' };

test.each<[string, PlanFields, PlanRule[]]>([
  ['Plus of a customer without a subscription or end', { plan: 'plus', ...customer }, ['plus-without-basis']],
  ['Free with an end', { plan: 'free', ...end }, ['end-without-plus']],
  ['Free with an end and a customer', { plan: 'free', ...end, ...customer }, ['end-without-plus']],
  ['Plus that ends and renews', { plan: 'plus', ...both, ...customer }, ['end-and-renewing-subscription']],
  [
    'Free that ends and renews',
    { plan: 'free', ...both },
    ['end-without-plus', 'end-and-renewing-subscription'],
  ],
])('%s breaks a rule', (_, row, rules) => {
  expect(planContradictions(row)).toEqual(rules);
});

test.each<[string, PlanFields]>([
  ['Free', { plan: 'free' }],
  ['Free with the customer of an import', { plan: 'free', ...customer }],
  ['Plus that renews', { plan: 'plus', ...subscription, ...customer }],
  ['Plus that renews, in an imported row', { plan: 'plus', ...subscription }],
  ['Plus that ends', { plan: 'plus', ...end, ...customer }],
  ['a complimentary Plus', { plan: 'plus' }],
  ['a complimentary Plus that ends', { plan: 'plus', ...end }],
])('%s breaks no rule', (_, row) => {
  expect(planContradictions(row)).toEqual([]);
});
