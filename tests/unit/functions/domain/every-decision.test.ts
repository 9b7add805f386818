import { expect, test } from 'vitest';
import { decidePlan, duplicatesIn, keptSubscription } from '../../../../functions/domain/decide-plan.ts';
import { planContradictions } from '../../../../functions/domain/plan-contradictions.ts';
import { toPlan } from '../../../../functions/domain/plan.ts';
import {
  decidedAgainAt,
  hasEnded,
  isEntitling,
  isOpenContract,
  isPayable,
  isPaymentProcessing,
  runsUnpaid,
  type Subscription,
  type SubscriptionState,
} from '../../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';
import { entitles, preferred, ruledPlan, outlasting } from './plan-rules.ts';

/**
 * Every decision over the whole product of statuses, flags and orders, against the rules as the specification
 * words them. `plan-rules.ts` has the rules again, written without the product's functions.
 */

const simple = [
  'incomplete',
  'processing',
  'never-paid',
  'active',
  'renewing',
  'invoiced',
  'uncollected',
  'unpaid',
  'paused',
  'expired',
  'unknown',
] as const;
const states: readonly SubscriptionState[] = [
  ...simple.map((kind) => ({ kind })),
  { kind: 'past-due' },
  { kind: 'given-up', triesEndAt: 1 },
  ...(['paid', 'processing', 'failed'] as const).map(
    (firstPayment) => ({ kind: 'canceled', firstPayment }) as const,
  ),
];
const now = new Date('2026-01-20T12:00:00Z');
const PERIOD_END = Date.UTC(2026, 1, 15) / 1000;
/** The marks of an end in a subscription's metadata. */
const marks = [
  {},
  { ended: 'duplicate', refund: 'due' },
  { ended: 'duplicate', refund: 'done' },
  { ended: 'withdrawn', refund: 'due' },
  { ended: 'declined' },
] as const;
const ends = [undefined, PERIOD_END, PERIOD_END + 90 * 86_400];
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

function* everySubscription(): Generator<Subscription> {
  for (const state of states)
    for (const mark of marks)
      for (const endsAt of ends)
        for (const userId of ['user', undefined, 'another'])
          yield subscriptionWith({ state, ...mark, endsAt, userId });
}

/** A duplicate, or what the user has withdrawn from, until it is refunded. */
const toRefund = ({ refund }: Subscription): boolean => refund === 'due';

/** The rows that a user can have before a decision. */
const rows: UserPlan[] = [
  { id: 'user', plan: 'free', version: 1 },
  { id: 'user', plan: 'free', billing_customer_id: 'cus_1', version: 1 },
  { id: 'user', plan: 'plus', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1', version: 1 },
  { id: 'user', plan: 'plus', stripe_subscription_id: 'sub_2', stripe_customer_id: 'cus_1', version: 1 },
  { id: 'user', plan: 'plus', plan_expires_at: iso(PERIOD_END), stripe_customer_id: 'cus_1', version: 1 },
  { id: 'user', plan: 'plus', version: 1 },
  { id: 'user', plan: 'plus', plan_expires_at: '2026-01-31T23:59:59.999Z', version: 1 },
  { id: 'user', plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.000Z', version: 1 },
  { id: 'user', plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.001Z', version: 1 },
];

// Assertions of vitest on each decision would take minutes.
const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

test('one subscription, in every state and before every row', () => {
  let count = 0;
  const wrong: unknown[] = [];
  for (const one of everySubscription()) {
    if (isEntitling(one) !== entitles(one)) wrong.push({ one });
    for (const row of rows)
      for (const cancels of [false, true]) {
        count += 1;
        const { fields, because, subscription } = decidePlan(row, [one], now, {
          cancelComplimentary: cancels,
        });
        const { plan, plan_expires_at: expiresAt = null } = fields;
        const ruled = ruledPlan(row, [one], now, cancels);
        const renews = ruled.because === 'subscription-renews';
        const isRight =
          planContradictions(fields).length === 0 &&
          plan === ruled.plan &&
          expiresAt === ruled.expiresAt &&
          because === ruled.because &&
          (subscription?.id ?? null) === ruled.subscription &&
          fields.stripe_subscription_id === (renews ? 'sub_1' : undefined) &&
          fields.stripe_customer_id === (ruled.subscription === null ? undefined : 'cus_1') &&
          subscription === (entitles(one) ? one : undefined) &&
          isSame(toPlan({ ...fields, id: 'user', version: 1 }), {
            plan,
            planExpiresAt: expiresAt,
            stripeSubscriptionId: fields.stripe_subscription_id ?? null,
            createdAt: null,
            lastSignInAt: null,
            mailBounces: false,
          });
        if (!isRight) wrong.push({ one, row, cancels, fields, because, subscription, ruled });
      }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(count).toBe(12_960);
});

test('every subscription is one of: giving a plan, processing, ended, marked, payable, paused', () => {
  for (const one of everySubscription()) {
    const groups = [
      entitles(one),
      isPaymentProcessing(one),
      hasEnded(one),
      one.ended !== undefined && !hasEnded(one),
      isPayable(one),
      one.state.kind === 'paused' && !one.ended,
    ];
    expect(groups.filter(Boolean)).toHaveLength(1);
    const { kind } = one.state;
    const isBegun = one.ended === 'declined' && !hasEnded(one);
    expect(runsUnpaid(one)).toBe(isBegun || kind === 'never-paid' || kind === 'given-up');
    expect(isOpenContract(one)).toBe(!one.ended && ['unpaid', 'paused', 'given-up'].includes(kind));
  }
});

test('a past due subscription is decided again when its tries end, or a day after the next try', () => {
  const againAt = (state: SubscriptionState) => decidedAgainAt({ state });
  expect(againAt({ kind: 'past-due' })).toBeUndefined();
  expect(againAt({ kind: 'past-due', nextTryAt: PERIOD_END })).toBe(PERIOD_END + 86_400);
  expect(againAt({ kind: 'past-due', triesEndAt: PERIOD_END })).toBe(PERIOD_END);
  expect(againAt({ kind: 'given-up', triesEndAt: PERIOD_END })).toBeUndefined();
});

/** The states that matter beside another subscription. How the first payment went matters to none. */
function* everyOneOfTwo(id: string): Generator<Subscription> {
  for (const state of [
    ...(['active', 'unpaid', 'past-due'] as const).map((kind) => ({ kind })),
    { kind: 'given-up', triesEndAt: 1 },
    { kind: 'canceled', firstPayment: 'paid' },
  ] as const)
    for (const mark of [marks[0], marks[2], marks[3]])
      for (const endsAt of [undefined, PERIOD_END])
        for (const userId of ['user', undefined, 'another'])
          for (const createdAt of [1, 2])
            yield subscriptionWith({ id, state, ...mark, endsAt, userId, createdAt });
}

test('two subscriptions, in every pair of states, before every row and in both orders', () => {
  const wrong: unknown[] = [];
  for (const first of everyOneOfTwo('sub_1'))
    for (const second of everyOneOfTwo('sub_2'))
      for (const row of rows.slice(1, 6)) {
        const best = outlasting(preferred([first, second], row), [first, second]);
        const own = [first, second].filter(({ userId }) => userId !== 'another');
        const kept = preferred(own, row);
        const duplicates = [first, second].filter(
          (one) =>
            one.userId === 'user' &&
            (toRefund(one) ||
              (kept &&
                one !== kept &&
                // The user's own was there before support made the other.
                !(entitles(one) && kept.userId === undefined && one.createdAt < kept.createdAt) &&
                (entitles(one) || isPayable(one)))),
        );
        for (const order of [
          [first, second],
          [second, first],
        ]) {
          const { subscription } = decidePlan(row, order, now);
          const found = duplicatesIn(order, row);
          // One of the user's own subscriptions stays.
          const staying = own.filter((one) => one.userId === 'user' && entitles(one) && !found.includes(one));
          const isRight =
            subscription === best &&
            keptSubscription(order, row) === kept &&
            found.length === duplicates.length &&
            found.every((one) => duplicates.includes(one)) &&
            staying.length <= 1;
          if (!isRight) wrong.push({ order, row, subscription, found, staying });
        }
      }
  expect(wrong.slice(0, 3)).toEqual([]);
});
