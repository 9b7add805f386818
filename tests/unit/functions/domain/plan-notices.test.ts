import { describe, expect, test } from 'vitest';
import { type PlanNoticeKind, reminderAt, planNotices } from '../../../../functions/domain/plan-notices.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';

const now = new Date('2026-01-20T12:00:00Z');
const SOON = '2026-01-22T12:00:00.000Z';
const LATER = '2026-02-15T12:00:00.000Z';
const FAR = '2026-05-15T12:00:00.000Z';
const PAST = '2026-01-10T12:00:00.000Z';

const payment = (
  at: number,
  fields: Partial<NonNullable<BillingState['paid']>> = {},
): NonNullable<BillingState['paid']> => ({
  plan: 'plus',
  at,
  invoice: `in_${at}`,
  amount: 500,
  currency: 'usd',
  isFirst: false,
  years: 0,
  ...fields,
});
/** The next charge, of $5, after so many days. */
const charge = (
  days: number,
  fields: Partial<NonNullable<BillingState['nextCharge']>> = {},
): NonNullable<BillingState['nextCharge']> => ({
  at: now.getTime() / 1000 + days * 86_400,
  listed: 500,
  currency: 'usd',
  interval: 'month',
  ...fields,
});
const failure = (invoice: string) => ({ invoice, amount: 500, currency: 'usd' });
const [first, afterAYear] = [payment(1, { isFirst: true }), payment(3, { years: 1 })];
const plus = (state: Partial<BillingState> = {}): BillingState => ({ plan: 'plus', ...state });
const free = (state: Partial<BillingState> = {}): BillingState => ({ plan: 'free', ...state });
const payments = [undefined, first, payment(2), afterAYear, payment(4, { amount: 0 })];

function* everyState(): Generator<BillingState> {
  for (const paid of payments) {
    for (const refunded of [undefined, { boughtAt: 1, currency: 'usd' }]) {
      for (const ended of [undefined, 'declined'] as const) yield { plan: 'free', paid, ended, refunded };
      for (const ends of [undefined, PAST, SOON, LATER])
        for (const failed of [undefined, failure('in_3')])
          for (const complimentary of failed ? [undefined] : ([undefined, true] as const))
            yield { plan: 'plus', paid, refunded, ends, failed, complimentary };
    }
  }
}
const states = [...everyState()];
const kinds = (mailed: BillingState, seen: BillingState, at = now): PlanNoticeKind[] =>
  planNotices(mailed, seen, at).map(({ kind }) => kind);

const pairs = states.flatMap((mailed) => states.map((seen) => ({ mailed, seen })));

describe('the news from what was mailed to what is known', () => {
  // Each pair is judged against the rules in words, which are written again here.
  test('are mailed once, in every pair of states, also after a crash between two mails', () => {
    const twice = pairs.filter(({ mailed, seen }) => {
      const news = planNotices(mailed, seen, now);
      return news.some(({ after }, index) => {
        const rest = news.slice(index + 1).map(({ kind }) => kind);
        return String(kinds(after, seen)) !== String(rest);
      });
    });
    expect(twice).toEqual([]);
  });

  test('say once that a payment was waived, also where the plan was canceled meanwhile', () => {
    const [cancelled] = planNotices(plus({ failed: failure('in_2') }), plus({ ends: LATER }), now);
    expect(cancelled?.kind).toBe('cancelled');
    expect(kinds(cancelled?.after ?? free(), plus({ ends: LATER, nextCharge: charge(20) }))).toEqual([]);
  });

  test('leave nobody in doubt of the plan, whether a mail has arrived whose sending was cut off', () => {
    const plan = (state: BillingState) => `${state.plan} ${state.ends}`;
    const unpaid = states.filter(({ paid, refunded, ended }) => !paid && !refunded && !ended);
    const doubts = unpaid.flatMap((mailed) =>
      unpaid.flatMap((maybe) =>
        states.filter((seen) => {
          const last = planNotices(mailed, seen, now, [maybe]).at(-1);
          const readers = last ? [last.after, ...last.maybeAfter] : [mailed, maybe];
          return readers.some((reader) => plan(reader) !== plan(seen));
        }),
      ),
    );
    expect(doubts).toEqual([]);
  });

  test.each<[string, BillingState, BillingState, PlanNoticeKind[]]>([
    ['a purchase', free(), plus({ paid: first }), ['begun']],
    [
      'a purchase that was cancelled before anybody was mailed',
      free(),
      plus({ paid: first, ends: LATER }),
      ['begun', 'cancelled'],
    ],
    [
      'a purchase that has ended before anybody was mailed',
      free(),
      free({ paid: first, ended: 'other' }),
      ['begun', 'ended'],
    ],
    ['a renewal', plus({ paid: payment(1) }), plus({ paid: payment(2) }), ['renewed']],
    ['the twelfth renewal', plus({ paid: payment(2) }), plus({ paid: afterAYear }), ['renewed', 'year']],
    [
      'a renewal in the year after',
      plus({ paid: afterAYear }),
      plus({ paid: payment(5, { years: 1 }) }),
      ['renewed'],
    ],
    [
      'a renewal after an end that was taken back',
      plus({ paid: payment(1), ends: LATER }),
      plus({ paid: payment(2) }),
      ['renewed', 'kept'],
    ],
    [
      'a purchase by the user of a complimentary plan that ends',
      plus({ complimentary: true, ends: LATER }),
      plus({ paid: first }),
      ['begun'],
    ],
    [
      'a renewal that a voucher pays',
      plus({ paid: payment(1) }),
      plus({ paid: payment(2, { amount: 0 }) }),
      [],
    ],
    [
      'a failed payment',
      plus({ paid: payment(1) }),
      plus({ paid: payment(1), failed: failure('in_2') }),
      ['failed'],
    ],
    [
      'the next failure of the same payment',
      plus({ failed: failure('in_2') }),
      plus({ failed: { ...failure('in_2'), nextTryAt: 5 } }),
      [],
    ],
    [
      'the payment that had failed',
      plus({ paid: payment(1), failed: failure('in_2') }),
      plus({ paid: payment(2) }),
      ['arrived'],
    ],
    [
      'a renewal after a failed payment that support has waived',
      plus({ paid: payment(1), failed: failure('in_2') }),
      plus({ paid: payment(3) }),
      ['renewed'],
    ],
    [
      'a payment after Plus had ended unpaid',
      free({ paid: payment(1), ended: 'unpaid' }),
      plus({ paid: payment(2) }),
      ['arrived'],
    ],
    [
      'a failed payment that support has waived',
      plus({ paid: payment(1), failed: failure('in_2') }),
      plus({ paid: payment(1), nextCharge: charge(20) }),
      ['kept'],
    ],
    [
      'a purchase whose payment failed days later',
      free(),
      free({ purchaseFailed: { boughtAt: 1, plan: 'plus' } }),
      ['purchase-failed'],
    ],
    [
      'a higher charge in the next thirty days',
      plus({ paid: payment(1), nextCharge: charge(20) }),
      plus({ paid: payment(1), nextCharge: charge(20, { listed: 800 }) }),
      ['terms'],
    ],
    [
      'a higher charge after more than thirty days',
      plus({ paid: payment(1), nextCharge: charge(40) }),
      plus({ paid: payment(1), nextCharge: charge(40, { listed: 800 }) }),
      [],
    ],
    [
      'the end of a discount, which the last receipt named long ago',
      plus({ paid: payment(1, { amount: 250 }), nextCharge: charge(20) }),
      plus({ paid: payment(1, { amount: 250 }), nextCharge: charge(20) }),
      ['terms'],
    ],
    [
      'a charge after a renewal that a voucher paid',
      plus({ paid: payment(1), nextCharge: charge(1) }),
      plus({ paid: payment(2, { amount: 0 }), nextCharge: charge(29) }),
      ['terms'],
    ],
    [
      'a lower charge',
      plus({ paid: payment(1), nextCharge: charge(20) }),
      plus({ paid: payment(1), nextCharge: charge(20, { preview: { at: 0, amount: 250 } }) }),
      [],
    ],
    [
      'a price that is higher, of which a discount takes the difference',
      plus({ paid: payment(1), nextCharge: charge(20) }),
      plus({ paid: payment(1), nextCharge: charge(20, { listed: 800, preview: { at: 0, amount: 500 } }) }),
      [],
    ],
    [
      'a charge that moves by hours',
      plus({ nextCharge: charge(20) }),
      plus({ nextCharge: charge(20.9) }),
      [],
    ],
    [
      'a charge that moves by more than a day',
      plus({ nextCharge: charge(200) }),
      plus({ nextCharge: charge(201.1) }),
      ['terms'],
    ],
    [
      'a charge in another interval',
      plus({ nextCharge: charge(200) }),
      plus({ nextCharge: charge(200, { interval: 'year' }) }),
      ['terms'],
    ],
    ['a cancellation', plus(), plus({ ends: LATER }), ['cancelled']],
    ['another end', plus({ ends: LATER }), plus({ ends: FAR }), ['cancelled']],
    [
      'another hour of the same end',
      plus({ ends: LATER }),
      plus({ ends: `${LATER.slice(0, 10)}T00:00:00.000Z` }),
      [],
    ],
    ['an end that was taken back', plus({ ends: LATER }), plus(), ['kept']],
    [
      'an end within three days that was mailed long ago',
      plus({ ends: SOON }),
      plus({ ends: SOON }),
      ['ending'],
    ],
    ['an end within three days', plus(), plus({ ends: SOON }), ['cancelled']],
    ['an end that has passed while Stripe still says Plus', plus({ ends: PAST }), plus({ ends: PAST }), []],
    ['the end', plus({ ends: PAST }), free({ ended: 'scheduled' }), ['ended']],
    ['a complimentary plan', free(), plus({ complimentary: true }), ['complimentary']],
    [
      'a refunded duplicate',
      plus(),
      plus({ refunded: { boughtAt: 1, amount: 500, currency: 'usd' } }),
      ['refunded'],
    ],
  ])('%s', (_, mailed, seen, expected) => {
    expect(kinds(mailed, seen)).toEqual(expected);
    const after = planNotices(mailed, seen, now).at(-1)?.after ?? mailed;
    expect(kinds(after, seen)).toEqual([]);
  });

  test('compare with the mail that was cut off too, and each kind is mailed once', () => {
    const mailed = { plan: 'plus' } as const;
    const after = (seen: BillingState, ...maybe: BillingState[]) =>
      planNotices(mailed, seen, now, maybe).map(({ kind }) => kind);
    expect(after({ plan: 'plus', ends: LATER }, { plan: 'free' }, { plan: 'plus' })).toEqual(['cancelled']);
    expect(after(mailed, { plan: 'plus', ends: LATER }, { plan: 'free' })).toEqual(['kept']);
    expect(after({ plan: 'plus', paid: payment(2) }, { plan: 'free' })).toEqual(['arrived']);
    expect(after({ plan: 'plus', paid: payment(2) }, { plan: 'plus' })).toEqual(['renewed']);
  });

  test('nobody on Free is reminded of an end', () => {
    expect(reminderAt({ plan: 'free', ends: LATER })).toBeUndefined();
  });

  test('a reminder of the end comes once, three days before', () => {
    const cancelled = planNotices({ plan: 'plus' }, { plan: 'plus', ends: LATER }, now).at(-1)?.after;
    const at = reminderAt(cancelled!);
    expect(at?.toISOString()).toBe('2026-02-12T12:00:00.000Z');
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, new Date(at!.getTime() - 1))).toEqual([]);
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, at)).toEqual(['ending']);
    expect(kinds(cancelled!, { plan: 'plus', ends: LATER }, new Date(LATER))).toEqual([]);
  });
});
