import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { currentSnapshots } from '../../infra/changes/snapshot-files.ts';
import type { Activity } from '../../infra/costs/activities.ts';
import { demandOf } from '../../infra/costs/demand.ts';
import { fixedOf, runsOf } from '../../infra/costs/fixed.ts';
import { type Fixed, monthlyBill } from '../../infra/costs/monthly.ts';
import { PAGE, pageOf } from '../../infra/costs/page.ts';
import { dollarsFor, prices } from '../../infra/costs/prices.ts';
import { breakingPoints, PEAK, quotasOf } from '../../infra/costs/quotas.ts';

const nothing: Fixed = { webAcls: 0, webAclRules: 0, alarmMetrics: 0, customMetrics: 0, keys: 0, secrets: 0 };
const reading: Activity = { asked: ['plan', 'Free'], calls: ['GetItem UserPlans'], perUser: 10 };

describe('a price', () => {
  test.each([
    [10_000, 0],
    [10_001, 0.0055],
    [100_000, 495],
    [1_000_000, 4_635],
    [10_000_000, 33_885],
  ])('by steps is paid step by step: %d users on Lite', (users, dollars) => {
    expect(dollarsFor(prices.liteUsers, users)).toBeCloseTo(dollars, 4);
  });

  test('has steps that go up to any number', () => {
    for (const { steps } of Object.values(prices)) {
      expect(steps.at(-1)?.upTo).toBe(Infinity);
      expect(steps.map(({ upTo }) => upTo)).toEqual(steps.map(({ upTo }) => upTo).toSorted((a, b) => a - b));
    }
  });
});

describe('the demand of a user', () => {
  test('counts each call as often as the activity happens', () => {
    const demand = demandOf([
      reading,
      { asked: ['triggers/x', ''], calls: ['PutItem Addresses + SES SendEmail'], perUser: 2 },
    ]);
    expect(demand).toMatchObject({ reads: 10, writes: 2, apiRequests: 10, invocations: 12 });
    expect(demand.mails - demandOf([]).mails).toBe(2);
  });

  test('counts the index entries of a write to UserPlans', () => {
    expect(demandOf([{ ...reading, calls: ['UpdateItem UserPlans'], perUser: 1 }]).writes).toBe(3);
  });

  test('pays for the longest of calls that are made at once, and for the sum of others', () => {
    const seconds = (calls: string[]) => demandOf([{ ...reading, calls, perUser: 1 }]).gigabyteSeconds;
    const stripe = 'Stripe GET /v1/subscriptions';
    expect(seconds([`${stripe} + GetItem UserPlans`])).toBe(seconds([stripe]));
    expect(seconds([stripe, stripe])).toBeGreaterThan(1.9 * seconds([stripe]));
  });
});

describe('a bill', () => {
  const stage = { users: 100_000, demand: demandOf([reading]), fixed: nothing, runs: 0 };

  test('adds up', () => {
    const { total, ...lines } = monthlyBill({ ...stage, fixed: { ...nothing, secrets: 5 } });
    expect(total).toBeCloseTo(Object.values(lines).reduce((sum, dollars) => sum + dollars, 0));
    expect(lines['KMS and secrets']).toBe(2);
  });

  test('without users has what is paid by the month', () => {
    expect(monthlyBill({ ...stage, users: 0, fixed: { ...nothing, webAcls: 1, webAclRules: 3 } }).WAF).toBe(
      8,
    );
  });

  test('is higher on Essentials', () => {
    const on = (plan: 'liteUsers' | 'essentialsUsers') => monthlyBill({ ...stage, plan }).Cognito;
    expect(on('essentialsUsers') - on('liteUsers')).toBeGreaterThan(700);
  });
});

test('what is paid by the month is counted in the template', () => {
  const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties: { ...Properties } });
  expect(
    fixedOf({
      Resources: {
        One: alarm({ MetricName: 'x' }),
        Three: alarm({ Metrics: [{ Expression: 'a + b' }, { MetricStat: {} }, { MetricStat: {} }] }),
        Acl: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
      },
    }),
  ).toMatchObject({ alarmMetrics: 3, webAcls: 1, webAclRules: 2, keys: 0 });
});

test('runs of schedules are read from their expressions', () => {
  const schedules = (...expressions: string[]) => ({
    Resources: Object.fromEntries(
      expressions.map((ScheduleExpression) => [
        ScheduleExpression,
        { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression } },
      ]),
    ),
  });
  expect(runsOf(schedules('cron(0 * * * ? *)', 'cron(20 9 * * ? *)', 'rate(5 minutes)'))).toBe(
    730 + 30 + 8_760,
  );
  expect(() => runsOf(schedules('cron(0 0 1 * ? *)'))).toThrow('How often');
});

test('limits are in the order in which they are reached', () => {
  const demand = demandOf([reading]);
  const points = breakingPoints(quotasOf(100), demand);
  expect(points.map(({ users }) => users)).toEqual(
    points.map(({ users }) => users).toSorted((a, b) => a - b),
  );
  const own = points.find(({ quota }) => quota.name === 'the throttle of production');
  expect(own?.users).toBe((100 * 30 * 86_400) / (10 * PEAK));
});

test('the page has the numbers of the code: npm run costs writes it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf(currentSnapshots().production));
});
