import { expect, test } from 'vitest';
import { decidePlan, duplicatesIn, keptSubscription } from '../../../../functions/domain/decide-plan.ts';
import { planContradictions } from '../../../../functions/domain/plan-contradictions.ts';
import { toPlan } from '../../../../functions/domain/plan.ts';
import {
  decidedAgainAt,
  hasEnded,
  isEntitling,
  isPaymentDue,
  isPaymentProcessing,
  isResumable,
  runsUnpaid,
  type Subscription,
} from '../../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';
import { entitles, preferred as ruledAsPreferred, ruledPlan } from './plan-rules.ts';

/**
 * Every decision over the whole product of statuses, flags and orders, against the rules as the specification
 * words them. `plan-rules.ts` has the rules again, written without the product's functions.
 */

const statuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
  'a_word_of_tomorrow',
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
  for (const status of statuses)
    for (const firstPayment of ['arrived', 'awaited', 'failed'] as const)
      for (const mark of marks)
        for (const stoppedTrying of status === 'past_due' ? [false, true] : [false])
          for (const renewalPending of [false, true])
            for (const endsAt of ends)
              for (const userId of ['user', undefined, 'another'])
                yield subscriptionWith({
                  status,
                  firstPayment,
                  ...mark,
                  stoppedTrying,
                  renewalPending,
                  endsAt,
                  userId,
                });
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
          });
        if (!isRight) wrong.push({ one, row, cancels, fields, because, subscription, ruled });
      }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(count).toBe(48_600);
});

test('every subscription is exactly one of: giving Plus, processing, ended, a duplicate, running unpaid, resumable', () => {
  for (const one of everySubscription()) {
    const runs = ['active', 'trialing', 'past_due'].includes(one.status);
    const ended = ['canceled', 'incomplete_expired'].includes(one.status);
    expect(hasEnded(one)).toBe(ended);
    expect(isPaymentProcessing(one)).toBe(runs && !one.ended && one.firstPayment === 'awaited');
    const isUnpaid = runs && (one.firstPayment === 'failed' || one.stoppedTrying);
    expect(runsUnpaid(one)).toBe(isUnpaid || (one.ended === 'declined' && !ended));
    expect(isPaymentDue(one)).toBe(one.status === 'past_due' || one.renewalPending);
    const isOther = entitles(one) || isPaymentProcessing(one) || ended || one.ended !== undefined;
    expect(isResumable(one)).toBe(!isOther);
  }
});

test('a past due subscription is decided again when its tries end, or a day after the next try', () => {
  for (const status of statuses)
    for (const nextTryAt of [undefined, PERIOD_END])
      for (const triesEndAt of [undefined, PERIOD_END + 5]) {
        const again = decidedAgainAt(subscriptionWith({ status, nextTryAt, triesEndAt }));
        const ofNext = nextTryAt === undefined ? undefined : PERIOD_END + 86_400;
        expect(again).toBe(status === 'past_due' ? (triesEndAt ?? ofNext) : undefined);
      }
});

/** The states that matter beside another subscription. */
function* everyOneOfTwo(id: string): Generator<Subscription> {
  for (const status of ['active', 'past_due', 'unpaid', 'canceled'])
    for (const stoppedTrying of status === 'past_due' ? [false, true] : [false])
      for (const mark of [marks[0], marks[2], marks[3]])
        for (const endsAt of [undefined, PERIOD_END])
          for (const userId of ['user', undefined, 'another'])
            for (const createdAt of [1, 2])
              yield subscriptionWith({ id, status, stoppedTrying, ...mark, endsAt, userId, createdAt });
}

function preferred(of: readonly Subscription[], row: UserPlan): Subscription | undefined {
  return ruledAsPreferred(of, row);
}

test('two subscriptions, in every pair of states, before every row and in both orders', () => {
  const wrong: unknown[] = [];
  for (const first of everyOneOfTwo('sub_1'))
    for (const second of everyOneOfTwo('sub_2'))
      for (const row of rows.slice(1, 6)) {
        const best = preferred([first, second], row);
        const own = [first, second].filter(({ userId }) => userId !== 'another');
        const kept = preferred(own, row);
        const duplicates = [first, second].filter(
          (one) =>
            one.userId === 'user' &&
            (toRefund(one) || (kept && one !== kept && (entitles(one) || isResumable(one)))),
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
