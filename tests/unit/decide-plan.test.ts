import { describe, expect, test } from 'vitest';
import { decidePlan, type Subscription } from '../../functions/domain/decide-plan.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../functions/domain/expiry-shard.ts';
import {
  cancelPlan,
  hasExpired,
  PlanError,
  readPlan,
  setPlan,
  updatePlanExpiry,
} from '../../functions/domain/plan.ts';
import { UserPlan } from '../../schemas/plan.ts';

const now = new Date('2026-01-20T12:00:00Z');
const periodEnd = Date.UTC(2026, 1, 15) / 1000;
const row = (fields: Partial<UserPlan> = {}): UserPlan =>
  UserPlan.parse({ id: 'user', plan: 'free', version: 1, ...fields });
const subscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  customerId: 'cus_1',
  status: 'active',
  currentPeriodEnd: periodEnd,
  endsAt: undefined,
  ...fields,
});

describe('a plan follows what Stripe says now', () => {
  test.each(['active', 'trialing', 'past_due'])('a subscription that is %s entitles to Plus', (status) => {
    expect(decidePlan(row(), [subscription({ status })], now)).toEqual({
      plan: 'plus',
      stripe_subscription_id: 'sub_1',
      stripe_customer_id: 'cus_1',
    });
  });

  test.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'a_word_of_tomorrow'])(
    'a subscription that is %s entitles to nothing, and both Stripe ids are cleared',
    (status) => {
      const before = row({ plan: 'plus', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' });
      expect(decidePlan(before, [subscription({ status })], now)).toEqual({ plan: 'free' });
    },
  );

  test('a subscription that is going to end keeps Plus until then and gives up its id', () => {
    expect(decidePlan(row(), [subscription({ endsAt: periodEnd })], now)).toEqual({
      plan: 'plus',
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      stripe_customer_id: 'cus_1',
    });
  });

  test('a subscription that renews counts more than one that ends later', () => {
    const ending = subscription({ id: 'sub_ending', endsAt: periodEnd * 2, currentPeriodEnd: periodEnd * 2 });
    expect(decidePlan(row(), [ending, subscription()], now)).toMatchObject({
      stripe_subscription_id: 'sub_1',
    });
  });

  test('a lifted cancellation brings the id back and takes the expiry away', () => {
    const before = row({
      plan: 'plus',
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      stripe_customer_id: 'cus_1',
    });
    expect(decidePlan(before, [subscription()], now)).toEqual({
      plan: 'plus',
      stripe_subscription_id: 'sub_1',
      stripe_customer_id: 'cus_1',
    });
  });

  test('an expiry in the past takes nothing from somebody whom Stripe still counts as active', () => {
    const before = row({
      plan: 'plus',
      plan_expires_at: '2026-01-01T00:00:00.000Z',
      stripe_customer_id: 'cus_1',
    });
    expect(decidePlan(before, [subscription()], now)).toMatchObject({ plan: 'plus' });
  });
});

describe('a Plus that was given by hand', () => {
  test('stays while nobody ends it', () => {
    expect(decidePlan(row({ plan: 'plus' }), [], now)).toEqual({ plan: 'plus' });
  });

  test('ends with the last millisecond of the calendar month when it is cancelled', () => {
    expect(decidePlan(row({ plan: 'plus' }), [], now, { endGrant: true })).toEqual({
      plan: 'plus',
      plan_expires_at: '2026-01-31T23:59:59.999Z',
    });
  });

  test('is not made longer by cancelling it again', () => {
    const before = row({ plan: 'plus', plan_expires_at: '2026-01-21T00:00:00.000Z' });
    expect(decidePlan(before, [], now, { endGrant: true }).plan_expires_at).toBe('2026-01-21T00:00:00.000Z');
  });

  test('is over at its expiry', () => {
    const before = row({ plan: 'plus', plan_expires_at: now.toISOString() });
    expect(decidePlan(before, [], now)).toEqual({ plan: 'free' });
  });
});

describe('the plan functions', () => {
  test('cancelling in December ends on the last day of that year', () => {
    const cancelled = cancelPlan({ plan: 'plus' }, new Date('2026-12-31T23:59:59.998Z'));
    expect(cancelled.plan_expires_at).toBe('2026-12-31T23:59:59.999Z');
  });

  test('cancelling in a leap February ends on the 29th', () => {
    expect(cancelPlan({ plan: 'plus' }, new Date('2028-02-01T00:00:00Z')).plan_expires_at).toBe(
      '2028-02-29T23:59:59.999Z',
    );
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

  test('without a row there is no plan record to read, cancel or extend', () => {
    for (const attempt of [
      () => readPlan(undefined, now),
      () => cancelPlan(undefined, now),
      () => updatePlanExpiry(undefined, periodEnd),
    ]) {
      expect(attempt).toThrow(new PlanError('No plan record found'));
    }
  });

  test('the moment of expiry itself counts as past', () => {
    const at = { plan_expires_at: now.toISOString() };
    expect(hasExpired(at, now)).toBe(true);
    expect(hasExpired(at, new Date(now.getTime() - 1))).toBe(false);
    expect(hasExpired({}, now)).toBe(false);
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
