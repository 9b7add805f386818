import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../schemas/plan.ts';
import { longDate } from '../../../web/src/plan/long-date.ts';
import { cancellable, standingOf } from '../../../web/src/plan/standing.ts';

const free: Plan = {
  plan: 'free',
  planExpiresAt: null,
  stripeSubscriptionId: null,
  createdAt: '2025-07-01T00:00:00.000Z',
  lastSignInAt: null,
};
const renewing: Plan = { ...free, plan: 'plus', stripeSubscriptionId: 'sub_1' };
const ending: Plan = { ...free, plan: 'plus', planExpiresAt: '2025-12-31T23:59:59.999Z' };
const given: Plan = { ...free, plan: 'plus' };

describe('where somebody stands', () => {
  test.each([
    ['free', free, { kind: 'free' }],
    ['on Plus that renews', renewing, { kind: 'plus' }],
    ['on Plus that ends', ending, { kind: 'ending', on: '2025-12-31T23:59:59.999Z' }],
    ['on Plus given by hand', given, { kind: 'plus' }],
  ])('%s', (_, plan, standing) => {
    expect(standingOf({ kind: 'known', plan })).toEqual(standing);
  });

  test('a plan that could not be read counts as Free', () => {
    expect(standingOf({ kind: 'assumed', sentence: 'No.' })).toEqual({ kind: 'free' });
  });
});

describe('what there is to cancel', () => {
  test.each([
    ['nothing on Free', free, { kind: 'nothing' }],
    ['the subscription on Plus', renewing, { kind: 'subscription', id: 'sub_1' }],
    ['nothing once it is cancelled', ending, { kind: 'nothing' }],
    ['the grant where Plus was given by hand', given, { kind: 'grant' }],
  ])('%s', (_, plan, expected) => {
    expect(cancellable(plan)).toEqual(expected);
  });
});

describe('a long date', () => {
  test('is written the American way', () => {
    expect(longDate('2025-12-31T23:59:59.999Z', 'UTC')).toBe('December 31, 2025');
  });

  test('is the day it is where the reader is', () => {
    expect(longDate('2025-12-31T23:59:59.999Z', 'Asia/Tokyo')).toBe('January 1, 2026');
    expect(longDate('2026-01-01T02:00:00.000Z', 'America/New_York')).toBe('December 31, 2025');
  });
});
