import { describe, expect, test } from 'vitest';
import { billingStateFields, statesOf } from '../../../../functions/domain/billing-state.ts';
import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import {
  type NewsKind,
  reminderAt,
  subscriptionNews,
} from '../../../../functions/domain/subscription-news.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const now = new Date('2026-01-20T12:00:00Z');
const SOON = '2026-01-22T12:00:00.000Z';
const LATER = '2026-02-15T12:00:00.000Z';
const FAR = '2026-05-15T12:00:00.000Z';
const PAST = '2026-01-10T12:00:00.000Z';

const payment = (at: number, fields: Partial<NonNullable<BillingState['paid']>> = {}) => ({
  at,
  invoice: `in_${at}`,
  amount: 500,
  currency: 'usd',
  isFirst: false,
  years: 0,
  ...fields,
});
const failure = (invoice: string) => ({ invoice, amount: 500, currency: 'usd' });
const payments = [
  undefined,
  payment(1, { isFirst: true }),
  payment(2),
  payment(3, { years: 1 }),
  payment(4, { amount: 0 }),
];

function* everyState(): Generator<BillingState> {
  for (const paid of payments) {
    for (const refunded of [undefined, { boughtAt: 1, currency: 'usd' }]) {
      for (const ended of [undefined, 'declined'] as const) yield { plan: 'free', paid, ended, refunded };
      for (const ends of [undefined, PAST, SOON, LATER])
        for (const endsByDeletion of ends === LATER ? ([undefined, true] as const) : [undefined])
          for (const failed of [undefined, failure('in_3')])
            for (const complimentary of failed ? [undefined] : ([undefined, true] as const))
              yield { plan: 'plus', paid, refunded, ends, endsByDeletion, failed, complimentary };
    }
  }
}
const states = [...everyState()];
const kinds = (told: BillingState, seen: BillingState, at = now): NewsKind[] =>
  subscriptionNews(told, seen, at).map(({ kind }) => kind);

const pairs = states.flatMap((told) => states.map((seen) => ({ told, seen })));

describe('the news from what was told to what is known', () => {
  // Each pair is judged against the rules in words, which are written again here.
  test('are told once, in every pair of states, also after a crash between two mails', () => {
    const twice = pairs.filter(({ told, seen }) => {
      const news = subscriptionNews(told, seen, now);
      return news.some(({ after }, index) => {
        const rest = news.slice(index + 1).map(({ kind }) => kind);
        return String(kinds(after, seen)) !== String(rest);
      });
    });
    expect(twice).toEqual([]);
  });

  test('leave nobody in doubt of the plan, whether a mail has arrived whose sending was cut off', () => {
    const plan = (state: BillingState) => `${state.plan} ${state.ends}`;
    const unpaid = states.filter(({ paid, refunded, ended }) => !paid && !refunded && !ended);
    const doubts = unpaid.flatMap((told) =>
      unpaid.flatMap((maybe) =>
        states.filter((seen) => {
          const last = subscriptionNews(told, seen, now, [maybe]).at(-1);
          const readers = last ? [last.after, ...last.maybeAfter] : [told, maybe];
          return !seen.endsByDeletion && readers.some((reader) => plan(reader) !== plan(seen));
        }),
      ),
    );
    expect(doubts).toEqual([]);
  });

  test('name a payment exactly if a newer payment is known, which moved money', () => {
    const wrong = pairs.filter(({ told, seen }) => {
      const isNewer = (seen.paid?.at ?? 0) > (told.paid?.at ?? 0);
      const isTold = isNewer && seen.paid?.amount !== 0;
      const found = kinds(told, seen).filter((kind) => ['begun', 'renewed', 'arrived'].includes(kind));
      return found.length !== (isTold ? 1 : 0);
    });
    expect(wrong).toEqual([]);
  });

  test('say that Plus has ended where the user had it, and tell of no other end then', () => {
    const wrong = pairs.filter(({ told, seen }) => {
      const found = kinds(told, seen);
      const hadPlus = told.plan === 'plus' || found.some((kind) => kind === 'begun' || kind === 'arrived');
      const isEnd = seen.plan === 'free' || seen.endsByDeletion;
      return (
        found.includes('ended') !== (seen.plan === 'free' && hadPlus) ||
        (isEnd && (found.includes('cancelled') || found.includes('ending')))
      );
    });
    expect(wrong).toEqual([]);
  });

  test.each<[string, BillingState, BillingState, NewsKind[]]>([
    ['a purchase', { plan: 'free' }, { plan: 'plus', paid: payment(1, { isFirst: true }) }, ['begun']],
    [
      'a purchase that was cancelled before anybody was told',
      { plan: 'free' },
      { plan: 'plus', paid: payment(1, { isFirst: true }), ends: LATER },
      ['begun', 'cancelled'],
    ],
    [
      'a purchase that has ended before anybody was told',
      { plan: 'free' },
      { plan: 'free', paid: payment(1, { isFirst: true }), ended: 'other' },
      ['begun', 'ended'],
    ],
    ['a renewal', { plan: 'plus', paid: payment(1) }, { plan: 'plus', paid: payment(2) }, ['renewed']],
    [
      'the twelfth renewal',
      { plan: 'plus', paid: payment(2) },
      { plan: 'plus', paid: payment(3, { years: 1 }) },
      ['renewed', 'year'],
    ],
    [
      'a renewal that a voucher pays',
      { plan: 'plus', paid: payment(1) },
      { plan: 'plus', paid: payment(2, { amount: 0 }) },
      [],
    ],
    [
      'a failed payment',
      { plan: 'plus', paid: payment(1) },
      { plan: 'plus', paid: payment(1), failed: failure('in_2') },
      ['failed'],
    ],
    [
      'the next failure of the same payment',
      { plan: 'plus', failed: failure('in_2') },
      { plan: 'plus', failed: { ...failure('in_2'), nextTryAt: 5 } },
      [],
    ],
    [
      'the payment that had failed',
      { plan: 'plus', paid: payment(1), failed: failure('in_2') },
      { plan: 'plus', paid: payment(2) },
      ['arrived'],
    ],
    [
      'a renewal after a failed payment that support has waived',
      { plan: 'plus', paid: payment(1), failed: failure('in_2') },
      { plan: 'plus', paid: payment(3) },
      ['renewed'],
    ],
    [
      'a payment after Plus had ended unpaid',
      { plan: 'free', paid: payment(1), ended: 'unpaid' },
      { plan: 'plus', paid: payment(2) },
      ['arrived'],
    ],
    ['a cancellation', { plan: 'plus' }, { plan: 'plus', ends: LATER }, ['cancelled']],
    ['another end', { plan: 'plus', ends: LATER }, { plan: 'plus', ends: FAR }, ['cancelled']],
    [
      'another hour of the same end',
      { plan: 'plus', ends: LATER },
      { plan: 'plus', ends: `${LATER.slice(0, 10)}T00:00:00.000Z` },
      [],
    ],
    ['an end that was taken back', { plan: 'plus', ends: LATER }, { plan: 'plus' }, ['kept']],
    [
      'an end within three days that was told long ago',
      { plan: 'plus', ends: SOON },
      { plan: 'plus', ends: SOON },
      ['ending'],
    ],
    ['an end within three days', { plan: 'plus' }, { plan: 'plus', ends: SOON }, ['cancelled']],
    [
      'an end that has passed while Stripe still says Plus',
      { plan: 'plus', ends: PAST },
      { plan: 'plus', ends: PAST },
      [],
    ],
    [
      'the end that a deletion sets',
      { plan: 'plus' },
      { plan: 'plus', ends: LATER, endsByDeletion: true },
      [],
    ],
    ['the end', { plan: 'plus', ends: PAST }, { plan: 'free', ended: 'scheduled' }, ['ended']],
    ['a complimentary plan', { plan: 'free' }, { plan: 'plus', complimentary: true }, ['complimentary']],
    [
      'a refunded duplicate',
      { plan: 'plus' },
      { plan: 'plus', refunded: { boughtAt: 1, amount: 500, currency: 'usd' } },
      ['refunded'],
    ],
  ])('%s', (_, told, seen, expected) => {
    expect(kinds(told, seen)).toEqual(expected);
    const after = subscriptionNews(told, seen, now).at(-1)?.after ?? told;
    expect(kinds(after, seen)).toEqual([]);
  });

  test('a reminder of the end comes once, three days before', () => {
    const cancelled = subscriptionNews({ plan: 'plus' }, { plan: 'plus', ends: LATER }, now).at(-1)?.after;
    const at = reminderAt(cancelled!);
    expect(at?.toISOString()).toBe('2026-02-12T12:00:00.000Z');
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, new Date(at!.getTime() - 1))).toEqual([]);
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, at)).toEqual(['ending']);
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, new Date(LATER))).toEqual([]);
  });
});

describe('what a decision knows', () => {
  const payer: UserPlan = {
    id: 'user',
    plan: 'plus',
    stripe_subscription_id: 'sub_1',
    stripe_customer_id: 'cus_1',
    version: 1,
  };
  const stateAfter = (row: UserPlan, ...subscriptions: Subscription[]) => {
    const decision = decidePlan(row, subscriptions, now);
    const state = billingStateFields(row, decision, subscriptions);
    return { row: { ...row, ...decision.fields, ...state }, state };
  };
  const newsOf = (row: UserPlan): NewsKind[] => {
    const after = statesOf(row);
    return after ? kinds(after.told, after.seen) : [];
  };
  const invoice = { ...subscriptionWith().latestInvoice!, isFirst: false, id: 'in_2' };

  test('a user who never bought anything has no state', () => {
    expect(stateAfter({ id: 'user', plan: 'free', version: 1 }).state).toEqual({});
  });

  test('a payer from before the mails is told of nothing that is known already', () => {
    const pastDue = subscriptionWith({
      status: 'past_due',
      latestInvoice: { ...invoice, paidAt: undefined },
    });
    const refunded = subscriptionWith({ id: 'sub_2', status: 'canceled', duplicate: 'refunded' });
    for (const subscriptions of [
      [subscriptionWith()],
      [pastDue],
      [subscriptionWith(), refunded],
      [subscriptionWith({ latestInvoice: { ...invoice, periodStart: now.getTime() / 1000 + 9e7 } })],
    ]) {
      expect(newsOf(stateAfter(payer, ...subscriptions).row)).toEqual([]);
    }
    expect(newsOf(stateAfter(payer, subscriptionWith({ endsAt: 1_771_156_800 })).row)).toEqual(['cancelled']);
    expect(newsOf(stateAfter(payer).row)).toEqual(['ended']);
  });

  test('a decision never replaces what was told', () => {
    const { row } = stateAfter(payer, subscriptionWith());
    expect(stateAfter(row, subscriptionWith({ endsAt: 1_771_156_800 })).state).not.toHaveProperty(
      'billing_told',
    );
  });

  test('a payment stays known while the next invoice is a draft', () => {
    const { row } = stateAfter(payer, subscriptionWith());
    const draft = subscriptionWith({
      renewalPending: true,
      latestInvoice: { ...invoice, paidAt: undefined },
    });
    const { row: during } = stateAfter(row, draft);
    expect(newsOf(during)).toEqual([]);
    expect(statesOf(during)?.seen.nextCharge).toBeUndefined();
    const renewed = subscriptionWith({ latestInvoice: { ...invoice, paidAt: 1_771_156_900, amount: 650 } });
    const { row: after } = stateAfter(during, renewed);
    expect(newsOf(after)).toEqual(['renewed']);
    expect(statesOf(after)?.seen.paid).toMatchObject({ amount: 650, at: 1_771_156_900 });
  });

  test('Plus ends for the reason that Stripe gives', () => {
    const { row } = stateAfter(payer, subscriptionWith());
    const reasonOf = (fields: Partial<Subscription>, from = row) =>
      statesOf(stateAfter(from, subscriptionWith({ status: 'canceled', ...fields })).row)?.seen.ended;
    expect(reasonOf({})).toBe('other');
    expect(reasonOf({ endedByFailure: true, endedUnpaid: true })).toBe('unpaid');
    expect(reasonOf({ status: 'past_due', stoppedTrying: true })).toBe('unpaid');
    expect(reasonOf({ endedUnpaid: true })).toBe('declined');
    const { row: ending } = stateAfter(row, subscriptionWith({ endsAt: 1_771_156_800 }));
    expect(reasonOf({}, ending)).toBe('scheduled');
  });

  test('the amount of a refund is named where the duplicate was paid once', () => {
    const { row } = stateAfter(payer, subscriptionWith());
    const refundOf = (latestInvoice: Subscription['latestInvoice']) => {
      const duplicate = { id: 'sub_2', status: 'canceled', duplicate: 'refunded', latestInvoice } as const;
      return statesOf(stateAfter(row, subscriptionWith(), subscriptionWith(duplicate)).row)?.seen.refunded;
    };
    expect(refundOf(subscriptionWith().latestInvoice)?.amount).toBe(500);
    expect(refundOf(invoice)).toEqual({ boughtAt: subscriptionWith().createdAt, currency: 'usd' });
  });
});
