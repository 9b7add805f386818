import { describe, expect, test } from 'vitest';
import {
  type NewsKind,
  reminderAt,
  subscriptionNews,
} from '../../../../functions/domain/subscription-news.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';

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
      'a renewal in the year after',
      { plan: 'plus', paid: payment(3, { years: 1 }) },
      { plan: 'plus', paid: payment(5, { years: 1 }) },
      ['renewed'],
    ],
    [
      'a renewal after an end that was taken back',
      { plan: 'plus', paid: payment(1), ends: LATER },
      { plan: 'plus', paid: payment(2) },
      ['renewed', 'kept'],
    ],
    [
      'a purchase by the user of a complimentary plan that ends',
      { plan: 'plus', complimentary: true, ends: LATER },
      { plan: 'plus', paid: payment(1, { isFirst: true }) },
      ['begun'],
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

  test('compare with the mail that was cut off too, and each kind is told once', () => {
    const told = { plan: 'plus' } as const;
    const after = (seen: BillingState, ...maybe: BillingState[]) =>
      subscriptionNews(told, seen, now, maybe).map(({ kind }) => kind);
    expect(after({ plan: 'plus', ends: LATER }, { plan: 'free' }, { plan: 'plus' })).toEqual(['cancelled']);
    expect(after(told, { plan: 'plus', ends: LATER }, { plan: 'free' })).toEqual(['kept']);
    expect(after({ plan: 'plus', paid: payment(2) }, { plan: 'free' })).toEqual(['arrived']);
    expect(after({ plan: 'plus', paid: payment(2) }, { plan: 'plus' })).toEqual(['renewed']);
  });

  test('a new price is told once, to those who are charged next', () => {
    const nextCharge = { at: 9, amount: 500, currency: 'usd' };
    const price = { id: 'price_2', amount: 600, currency: 'usd', interval: 'month', anchor: 1 } as const;
    const seen = { plan: 'plus', nextCharge, newPrice: { ...price, announcedAt: 5 } } as const;
    expect(kinds({ plan: 'plus' }, seen)).toEqual(['price']);
    const [news] = subscriptionNews({ plan: 'plus' }, seen, now);
    expect(kinds(news!.after, seen)).toEqual([]);
    expect(kinds(news!.after, { ...seen, newPrice: { ...price, announcedAt: 6 } })).toEqual(['price']);
    for (const charge of [undefined, { at: 9, currency: 'usd' }])
      expect(kinds({ plan: 'plus' }, { ...seen, nextCharge: charge })).toEqual([]);
  });

  test('nobody on Free is reminded of an end', () => {
    expect(reminderAt({ plan: 'free', ends: LATER })).toBeUndefined();
    expect(reminderAt({ plan: 'plus', ends: LATER, endsByDeletion: true })).toBeUndefined();
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
