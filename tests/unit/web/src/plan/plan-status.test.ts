import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dayInWords } from '../../../../../functions/emails/moment.ts';
import type { Plan } from '../../../../../schemas/rows/plan.ts';
import { planNames, plans } from '../../../../../schemas/product/offers.ts';
import { longDate } from '../../../../../web/src/plan/long-date.ts';
import { planDay } from '../../../../../web/src/plan/plan-day.ts';
import { cancellable, planStatusOf } from '../../../../../web/src/plan/plan-status.ts';
import { featureMeanings } from '../../../../../web/src/routes/pricing/feature-meanings.ts';
import { freePlan } from '../../../../fixtures/product/free-plan.ts';

const renewing: Plan = { ...freePlan, plan: 'plus', stripeSubscriptionId: 'sub_1' };
const ending: Plan = { ...freePlan, plan: 'plus', planExpiresAt: '2025-12-31T23:59:59.999Z' };
const complimentary: Plan = { ...freePlan, plan: 'plus' };

describe('the status of a plan', () => {
  test.each([
    ['is Free', freePlan, { kind: 'free' }],
    ['is Plus that renews', renewing, { kind: 'renews', plan: 'plus' }],
    ['is Plus that ends', ending, { kind: 'ending', plan: 'plus', on: '2025-12-31T23:59:59.999Z' }],
    ['is Plus for a complimentary plan', complimentary, { kind: 'renews', plan: 'plus' }],
  ])('%s', (_, plan, status) => {
    expect(planStatusOf({ kind: 'known', value: plan })).toEqual(status);
  });

  test('is unknown, and neither Free nor Plus, if the plan could not be read', () => {
    expect(planStatusOf({ kind: 'unread', sentence: 'No.' })).toEqual({ kind: 'unread' });
  });
});

describe('what the user can cancel', () => {
  test.each([
    ['is nothing on Free', freePlan, { kind: 'nothing' }],
    ['is the subscription on Plus', renewing, { kind: 'subscription', id: 'sub_1' }],
    ['is nothing once the end is scheduled', ending, { kind: 'nothing' }],
    ['is a complimentary plan', complimentary, { kind: 'complimentary' }],
  ])('%s', (_, plan, expected) => {
    expect(cancellable(plan)).toEqual(expected);
  });
});

test('a long date is the day in the reader’s time zone, written as in the United States', () => {
  expect(longDate('2025-12-31T23:59:59.999Z', 'Asia/Tokyo')).toBe('January 1, 2026');
  expect(longDate('2026-01-01T02:00:00.000Z', 'America/New_York')).toBe('December 31, 2025');
});

describe('the day of a plan', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moments = fc.date({
    min: new Date('2025-01-01T00:00:00Z'),
    max: new Date('2060-01-01T00:00:00Z'),
    noInvalidDate: true,
  });

  afterEach(() => vi.unstubAllEnvs());

  test('is the same for readers in every time zone, and in mails', () => {
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        vi.stubEnv('TZ', zone);
        expect(planDay(moment)).toBe(dayInWords(moment));
        expect(planDay(moment.toISOString())).toBe(dayInWords(moment));
      }),
    );
  });
});

test('every feature of a plan says what it means', () => {
  for (const id of planNames) {
    expect(featureMeanings[id]).toHaveLength(plans[id].features.length);
  }
});
