import { describe, expect, test } from 'vitest';
import { decidePlan, activeSubscription, duplicatesIn } from '../../../functions/domain/decide-plan.ts';
import { isEntitling, type Subscription } from '../../../functions/domain/subscription.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../../functions/domain/expiry-shard.ts';
import {
  cancelPlan,
  hasExpired,
  PlanError,
  readPlan,
  setPlan,
  updatePlanExpiry,
} from '../../../functions/domain/plan.ts';
import { UserPlan } from '../../../schemas/plan.ts';

const decide = (...input: Parameters<typeof decidePlan>) => decidePlan(...input).fields;

const now = new Date('2026-01-20T12:00:00Z');
const periodEnd = Date.UTC(2026, 1, 15) / 1000;
const row = (fields: Partial<UserPlan> = {}): UserPlan =>
  UserPlan.parse({ id: 'user', plan: 'free', version: 1, ...fields });
const subscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  customerId: 'cus_1',
  userId: 'user',
  status: 'active',
  createdAt: Date.UTC(2026, 0, 15) / 1000,
  currentPeriodEnd: periodEnd,
  endsAt: undefined,
  duplicate: undefined,
  invoicesVoided: false,
  ...fields,
});

describe('a plan follows what Stripe says now', () => {
  test.each(['active', 'trialing', 'past_due'])('a subscription that is %s entitles to Plus', (status) => {
    expect(decide(row(), [subscription({ status })], now)).toEqual({
      plan: 'plus',
      stripe_subscription_id: 'sub_1',
      stripe_customer_id: 'cus_1',
    });
  });

  test.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'a_word_of_tomorrow'])(
    'a subscription that is %s entitles to nothing, and both Stripe ids are cleared',
    (status) => {
      const before = row({ plan: 'plus', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' });
      expect(decide(before, [subscription({ status })], now)).toEqual({ plan: 'free' });
    },
  );

  test('a subscription that is going to end keeps Plus until then and gives up its id', () => {
    expect(decide(row(), [subscription({ endsAt: periodEnd })], now)).toEqual({
      plan: 'plus',
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      stripe_customer_id: 'cus_1',
    });
  });

  test('a lifted cancellation brings the id back and takes the expiry away', () => {
    const before = row({
      plan: 'plus',
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      stripe_customer_id: 'cus_1',
    });
    expect(decide(before, [subscription()], now)).toEqual({
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
    expect(decide(before, [subscription()], now)).toMatchObject({ plan: 'plus' });
  });
});

describe('of several subscriptions', () => {
  const first = subscription();
  const second = subscription({ id: 'sub_2', createdAt: first.createdAt + 60 });
  const ids = (all: readonly Subscription[]) => duplicatesIn(all, row()).map(({ id }) => id);

  test('the earliest is kept, and every other is a duplicate, in whatever order Stripe lists them', () => {
    const third = subscription({ id: 'sub_3', createdAt: first.createdAt + 120 });
    expect(decide(row(), [third, first, second], now).stripe_subscription_id).toBe('sub_1');
    expect(ids([third, first, second])).toEqual(['sub_3', 'sub_2']);
  });

  test('one that is paid is kept before an earlier one that is not', () => {
    const owing = subscription({ status: 'past_due' });
    expect(decide(row(), [owing, second], now).stripe_subscription_id).toBe('sub_2');
    expect(ids([owing, second])).toEqual(['sub_1']);
  });

  test('the earlier one is kept though it is going to end: whoever wants more renews it', () => {
    const ending = subscription({ endsAt: periodEnd });
    expect(decide(row(), [ending, second], now).plan_expires_at).toBe('2026-02-15T00:00:00.000Z');
    expect(ids([ending, second])).toEqual(['sub_2']);
  });

  test('of two that are paid the one that the row names is kept, as whoever decided before has ended the other', () => {
    const named = row({ stripe_subscription_id: 'sub_2' });
    expect(decide(named, [first, second], now).stripe_subscription_id).toBe('sub_2');
    expect(duplicatesIn([first, second], named)).toEqual([first]);
    const owing = { ...second, status: 'past_due' };
    expect(decide(named, [first, owing], now).stripe_subscription_id).toBe('sub_1');
    expect(duplicatesIn([first, owing], named)).toEqual([owing]);
  });

  test('one that is going to end is known by its end, for the row doesn’t name it', () => {
    const ending = { ...second, endsAt: periodEnd };
    const rests = row(decide(row(), [ending], now));
    expect(decide(rests, [first, ending], now)).toEqual(decide(row(), [ending], now));
    expect(duplicatesIn([first, ending], rests)).toEqual([first]);
  });

  test('two of the same second are told apart the same way every time', () => {
    const twin = subscription({ id: 'sub_2' });
    expect([activeSubscription([first, twin])?.id, activeSubscription([twin, first])?.id]).toEqual([
      'sub_1',
      'sub_1',
    ]);
  });

  test.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'a_word_of_tomorrow'])(
    'a subscription that is %s is no duplicate, since it takes nothing',
    (status) => {
      expect(ids([first, { ...second, status }])).toEqual([]);
    },
  );

  test('one that support made in Stripe by hand is left alone, and so is one bought for somebody else', () => {
    expect(ids([first, { ...second, userId: undefined }])).toEqual([]);
    expect(ids([{ ...first, userId: undefined }, second])).toEqual(['sub_2']);
    expect(ids([first, { ...second, userId: 'eve' }])).toEqual([]);
    expect(ids([{ ...first, userId: 'eve' }, second])).toEqual([]);
  });

  test('a duplicate stays a duplicate after the kept subscription has gone, until it is refunded', () => {
    const found = { ...second, duplicate: 'found' as const };
    expect(isEntitling(found)).toBe(false);
    expect(decide(row(), [{ ...first, status: 'canceled' }, found], now)).toEqual({ plan: 'free' });
    expect(ids([{ ...first, status: 'canceled' }, found])).toEqual(['sub_2']);
    expect(ids([first, { ...found, status: 'canceled' }])).toEqual(['sub_2']);
  });

  test.each(['refunded', 'nothing-taken'] as const)('one that is %s and ended is done with', (word) => {
    expect(ids([first, { ...second, status: 'canceled', duplicate: word }])).toEqual([]);
  });
});

describe('a Plus that was given by hand', () => {
  test('stays while nobody ends it', () => {
    expect(decide(row({ plan: 'plus' }), [], now)).toEqual({ plan: 'plus' });
  });

  test('ends with the last millisecond of the calendar month when it is cancelled', () => {
    expect(decide(row({ plan: 'plus' }), [], now, { cancelComplimentary: true })).toEqual({
      plan: 'plus',
      plan_expires_at: '2026-01-31T23:59:59.999Z',
    });
  });

  test('is not made longer by cancelling it again', () => {
    const before = row({ plan: 'plus', plan_expires_at: '2026-01-21T00:00:00.000Z' });
    expect(decide(before, [], now, { cancelComplimentary: true }).plan_expires_at).toBe(
      '2026-01-21T00:00:00.000Z',
    );
  });

  test('is over at its expiry', () => {
    const before = row({ plan: 'plus', plan_expires_at: now.toISOString() });
    expect(decide(before, [], now)).toEqual({ plan: 'free' });
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
