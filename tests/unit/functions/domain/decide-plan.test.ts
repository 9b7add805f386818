import { describe, expect, test } from 'vitest';
import { decidePlan, isPlanOf } from '../../../../functions/domain/decide-plan.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../../../functions/domain/expiry-shard.ts';
import {
  cancelPlan,
  isSamePlan,
  PlanError,
  readPlan,
  setPlan,
  toPlan,
  updatePlanExpiry,
} from '../../../../functions/domain/plan.ts';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { subscriptionWith as subscription } from '../../../fixtures/fakes/memory-billing.ts';

// Each decision over one or two subscriptions is in `every-decision.test.ts`.
const decide = (...input: Parameters<typeof decidePlan>) => decidePlan(...input).fields;

const now = new Date('2026-01-20T12:00:00Z');
const periodEnd = Date.UTC(2026, 1, 15) / 1000;
const row = (fields: Partial<UserPlan> = {}): UserPlan =>
  UserPlan.parse({ id: 'user', plan: 'free', version: 1, ...fields });

test('a row has the plan of a subscription if its fields and its end are those', () => {
  const renewing = subscription();
  const ending = subscription({ endsAt: periodEnd });
  const [ofRenewing, ofEnding] = [row(decide(row(), [renewing], now)), row(decide(row(), [ending], now))];
  expect([isPlanOf(ofRenewing, renewing), isPlanOf(ofEnding, ending)]).toEqual([true, true]);
  expect([isPlanOf(ofRenewing, ending), isPlanOf(ofEnding, renewing)]).toEqual([false, false]);
  expect(isPlanOf(ofEnding, { ...ending, endsAt: periodEnd + 1 })).toBe(false);
  expect(isPlanOf(ofRenewing, { ...renewing, state: { kind: 'unpaid' } })).toBe(false);
});

test('two plans are the same only if every field is', () => {
  const ids = { stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' };
  const plan = { plan: 'plus', plan_expires_at: '2026-02-15T00:00:00.000Z', ...ids } as const;
  expect(isSamePlan(plan, { ...plan })).toBe(true);
  for (const change of [
    { plan: 'free' as const },
    { plan_expires_at: '2026-02-16T00:00:00.000Z' },
    { stripe_subscription_id: 'sub_2' },
    { stripe_customer_id: 'cus_2' },
  ]) {
    expect(isSamePlan(plan, { ...plan, ...change })).toBe(false);
  }
});

describe('the plan functions', () => {
  test.each([
    ['2026-12-31T23:59:59.998Z', '2026-12-31T23:59:59.999Z'],
    ['2028-02-01T00:00:00Z', '2028-02-29T23:59:59.999Z'],
  ])('cancelling at %s ends on the last day of the month, at %s', (at, end) => {
    expect(cancelPlan({ plan: 'plus' }, new Date(at)).plan_expires_at).toBe(end);
  });

  test('setting Free clears both Stripe ids, setting Plus stores those that are given', () => {
    expect(setPlan('free', { subscriptionId: 'sub_1', customerId: 'cus_1' })).toEqual({ plan: 'free' });
    expect(setPlan('plus', { customerId: 'cus_1' })).toEqual({ plan: 'plus', stripe_customer_id: 'cus_1' });
  });

  test.each([Number.NaN, Infinity, '1771113600', undefined])(
    'an expiry of %s is an invalid timestamp',
    (value) => {
      expect(() => updatePlanExpiry({ plan: 'plus' }, value)).toThrow(new PlanError('Invalid timestamp'));
    },
  );

  test('reading, cancelling and extending fail without a row', () => {
    for (const attempt of [
      () => readPlan(undefined, now),
      () => cancelPlan(undefined, now),
      () => updatePlanExpiry(undefined, periodEnd),
    ]) {
      expect(attempt).toThrow(new PlanError('No plan record found'));
    }
  });

  test('reading a plan that has not expired, and cancelling one, keep its other fields and invent none', () => {
    const paid = { plan: 'plus', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' } as const;
    const ending = { ...paid, plan_expires_at: '2026-02-15T00:00:00.000Z' };
    expect(readPlan(row(ending), now)).toStrictEqual(ending);
    const cancelled = { ...paid, plan_expires_at: '2026-01-31T23:59:59.999Z' };
    expect(cancelPlan(row(paid), now)).toStrictEqual(cancelled);
    expect(readPlan(row({ plan: 'plus' }), now)).toStrictEqual({ plan: 'plus' });
  });

  test('the page is told whether the address bounces', () => {
    expect(toPlan(row()).mailBounces).toBe(false);
    expect(toPlan(row({ mail_bounced_at: now.toISOString() })).mailBounces).toBe(true);
  });
});

test('ids spread over all expiry shards without a hot one', () => {
  const counts = Array.from({ length: EXPIRY_SHARDS }, () => 0);
  for (let n = 0; n < 16_000; n += 1) {
    const shard = expiryShard(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(700);
  expect(Math.max(...counts)).toBeLessThan(1_300);
});

// Rows keep their shard, so it may not change with the code: published vectors of FNV-1a, modulo sixteen.
test.each([
  ['', 0x5],
  ['a', 0xc],
  ['foobar', 0x8],
])('the shard of %o is %i in every version of the code', (id, shard) => {
  expect(expiryShard(id)).toBe(shard);
});
