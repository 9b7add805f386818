import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SESSION_REQUESTS } from '../../infra/constructs/firewall/firewall.ts';
import { LOOK_UPS } from '../../infra/constructs/firewall/sign-in-firewall.ts';
import { jobShares } from '../../schemas/config/stripe-shares.ts';
import { LIMIT } from '../../functions/schedules/feed-due-accounts.ts';
import { production } from '../../infra/stages/production.ts';
import { api } from '../../schemas/api.ts';
import { scheduleFactsOf } from '../../schemas/schedules.ts';
import { maxAge } from '../../schemas/routes/plan.ts';
import { freePlan } from '../fixtures/product/free-plan.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
/** The busiest second on the site is this many times as busy as the average one. */
const PEAK = 10;
/** Seconds that an app's access token lasts: `infra/constructs/identity/identity.ts`. */
const APP_TOKEN = DAY;
/** The part of all accounts that nobody signs in to any more after a year. */
const LAPSED = 0.4;
/** The part of all users that is on Plus. */
const ON_PLUS = 0.03;

const PAUSE = maxAge(freePlan, new Date());

/** Requests a second that a user's visits to the site make at the busiest time, from requests a month. */
const atPeak = (aMonth: number): number => (aMonth / MONTH) * PEAK;

/**
 * The limits by their names in `.github/costs.md`: a second's number, and what a user adds to it at the
 * busiest time. Then every user's app is open, as on a Monday morning in one time zone.
 */
const limits: Record<string, { limit: number; perUser: number }> = {
  // Sign-ins and refreshes, of which a visit has one.
  "Cognito's UserAuthentication": { limit: 120, perUser: 1 / APP_TOKEN + atPeak(12 + 1.5) },
  // Two or three routes of each visit ask Cognito for the session.
  "Cognito's UserRead": { limit: 120, perUser: atPeak(12 * 2.5) },
  // The same, from one address.
  "the firewall's look-ups": { limit: LOOK_UPS, perUser: atPeak(12 * 2.5) },
  'the throttle of `/api/token`': { limit: api.token.throttle.rate, perUser: 1 / APP_TOKEN },
  'the throttle of `/api/plan`': { limit: api.plan.throttle.rate, perUser: 1 / PAUSE + atPeak(12) },
  "production's other throttle": { limit: production.throttle.rate, perUser: atPeak(13) },
  // A sign-up has a mail or two, a payer one a month.
  "SES's usual quota": { limit: 50_000 / DAY, perUser: (0.3 / MONTH) * 2 },
  "Cognito's UserFederation": { limit: 25, perUser: atPeak(1.5 * 0.3) },
  "Lambda's concurrency": { limit: 1_000, perUser: (1 / PAUSE) * 0.05 + atPeak(25) * 0.2 },
  // Five webhooks for each renewal, three requests for each, a tenth of a day's in its busiest hour.
  "Stripe's lists": { limit: 25, perUser: ((ON_PLUS / 30) * 5 * 3 * 0.1) / HOUR },
  // Each payer once a day, at the job's share of Stripe's rate, in runs without their last 90 seconds.
  '`plan-agreement` in a day': {
    limit:
      (jobShares['schedules/plan-agreement'] * (scheduleFactsOf('plan-agreement').timeout! * 60 - 90)) / HOUR,
    perUser: ON_PLUS / DAY,
  },
  // Two warnings and a deletion for each account that lapses.
  'idle accounts in an hour': { limit: LIMIT / HOUR, perUser: (LAPSED * 3) / (365 * DAY) },
  "DynamoDB's reads of a table": { limit: 40_000, perUser: 1 / PAUSE + atPeak(25) },
};

/** Users at whom a limit is met, with two digits. */
const usersAt = (name: string): number => {
  const { limit, perUser } = limits[name]!;
  return Number((limit / perUser).toPrecision(2));
};

describe('with the desktop app open all day', () => {
  test('a hundred thousand users meet no limit', () => {
    expect(Object.keys(limits).filter((name) => usersAt(name) < 100_000)).toEqual([]);
  });

  test('costs.md names each limit with the users that meet it', () => {
    const rows = [
      ...readFileSync('.github/costs.md', 'utf8').matchAll(/^\| (.+?) +\| +([\d,.]+) \| +([\d,]+) \|/gm),
    ];
    const named = Object.fromEntries(
      rows.map(([, name = '', , users = '']) => [name, Number(users.replaceAll(',', ''))]),
    );
    expect(Object.fromEntries(Object.keys(limits).map((name) => [name, named[name]]))).toEqual(
      Object.fromEntries(Object.keys(limits).map((name) => [name, usersAt(name)])),
    );
  });

  test('costs.md has the limits in the order in which they are met', () => {
    const text = readFileSync('.github/costs.md', 'utf8').split('## What breaks first')[1] ?? '';
    const users = [...text.matchAll(/^\| .+? +\| +[\d,.]+ \| +([\d,]+) \|/gm)].map(([, count = '']) =>
      Number(count.replaceAll(',', '')),
    );
    expect(users).toEqual(users.toSorted((a, b) => a - b));
    expect(users).toHaveLength(Object.keys(limits).length);
  });

  test('an app that does as the answer says stays far below what its session may send', () => {
    expect(60 / PAUSE).toBeLessThan(SESSION_REQUESTS / 100);
  });
});
