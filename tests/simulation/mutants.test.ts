import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Counters } from './counters.ts';
import { findCounterexample } from './find-counterexample.ts';
import type { Action } from './history/action.ts';
import { type History, stepsWithoutFaults } from './history/history.ts';
import { concurrentCancellation } from './history/history-arbitrary.ts';
import { mutants } from './mutants.ts';

// Enough for the mutants without histories of their own: each of them fails within a hundred.
const HISTORIES = 300;

const withoutWebhooks = (...actions: Action[]): fc.Arbitrary<History> =>
  fc.constant({
    start: '2030-01-15T12:00:00.000Z',
    hourly: false,
    steps: stepsWithoutFaults(actions, 'never'),
  });
const pays = (session: number, card: 'pays' | 'fails at renewals' | 'fails later' = 'pays'): Action => ({
  type: 'pay',
  session,
  card,
});
const opens: Action = { type: 'open a checkout' };

const inTheRenewalHour = withoutWebhooks(
  opens,
  pays(0),
  { type: 'run the event catch-up' },
  { type: 'time passes to the renewal', minutes: 30 },
  { type: 'cancel', target: 'shown subscription', user: 'ada' },
  { type: 'time passes', hours: 2 },
);
const paidTwiceWhileRefusing = fc.constant<History>({
  start: '2030-01-15T12:00:00.000Z',
  hourly: true,
  steps: stepsWithoutFaults(
    [
      opens,
      { type: 'support opens a second checkout' },
      { type: 'Stripe begins to refuse', call: 'POST /v1/refunds', fault: 'bad-request', hours: 10 },
      pays(0),
      pays(1),
      { type: 'time passes', hours: 5 },
    ],
    'never',
  ),
});

/** Histories for the mutants that random histories rarely detect. */
const targetedHistories: Record<string, fc.Arbitrary<History>> = {
  'overwrites a newer decision': concurrentCancellation,
  'removes Plus when the first attempt of a renewal fails': withoutWebhooks(
    opens,
    pays(0, 'fails at renewals'),
    { type: 'time passes', hours: 32 * 24 },
  ),
  'ends an expired plan without asking Stripe': withoutWebhooks(
    opens,
    pays(0),
    { type: 'time passes', hours: 26 * 24 },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
    { type: 'renew in the portal' },
    { type: 'time passes', hours: 6 * 24 },
    { type: 'read the plan' },
  ),
  'cancels at the end of the next period while the renewal is a draft': inTheRenewalHour,
  'leaves the draft of a cancelled subscription to Stripe': inTheRenewalHour,
  'takes a renewal for paid once its invoice is open': withoutWebhooks(
    opens,
    pays(0),
    { type: 'run the event catch-up' },
    { type: 'time passes to the renewal', minutes: 30 },
    { type: 'support finalizes a renewal' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
  ),
  'cannot cancel a subscription that support has changed': withoutWebhooks(
    opens,
    pays(0),
    { type: 'run the event catch-up' },
    { type: 'support schedules the subscription' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
  ),
  'removes Plus while the renewal is a draft': withoutWebhooks(
    opens,
    pays(0),
    { type: 'run the event catch-up' },
    { type: 'time passes to the renewal', minutes: 30 },
  ),
  'gives Plus before a first payment has arrived': withoutWebhooks(
    opens,
    {
      type: 'pay',
      session: 0,
      card: 'settles later',
    },
    { type: 'run the event catch-up' },
  ),
  'writes a plan only once everything is settled': paidTwiceWhileRefusing,
  'gives Plus for as long as a subscription is past due': withoutWebhooks(
    opens,
    pays(0, 'fails at renewals'),
    { type: 'time passes', hours: 32 * 24 },
    { type: 'Stripe stops trying' },
    { type: 'time passes', hours: 20 * 24 },
  ),
  'gives Plus for a second invoice although the first was not paid': withoutWebhooks(
    opens,
    pays(0, 'fails later'),
    { type: 'time passes in silence', days: 31 },
  ),
  'refunds the last month of a duplicate only': withoutWebhooks(
    opens,
    { type: 'support opens a second checkout' },
    pays(0),
    pays(1),
    { type: 'time passes in silence', days: 33 },
  ),
  'ends Plus at once while the payments are paused': withoutWebhooks(
    opens,
    pays(0),
    { type: 'support pauses the payments' },
    { type: 'time passes', hours: 35 * 24 },
    { type: 'run the event catch-up' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
  ),
  'does not refund a second subscription': withoutWebhooks(
    opens,
    { type: 'support opens a second checkout' },
    pays(0),
    pays(1),
  ),
};

describe('the simulation detects a product that', () => {
  test.each(Object.entries(mutants))('%s', async (name, build) => {
    const found = await findCounterexample({
      seed: 1,
      runs: HISTORIES,
      counters: new Counters(),
      build,
      shrink: false,
      histories: targetedHistories[name],
    });
    process.stdout.write(`${name}: history ${found?.runs ?? 'none'}: ${found?.error ?? ''}\n`);
    expect(found).toBeDefined();
  });

  test.each(Object.entries(targetedHistories))(
    'and accepts the deployed product in the same histories: %s',
    async (_, histories) => {
      const found = await findCounterexample({
        seed: 1,
        // The others are constant.
        runs: histories === concurrentCancellation ? 30 : 1,
        counters: new Counters(),
        histories,
        shrink: false,
      });
      expect(found?.text).toBeUndefined();
    },
  );
});
