import { describe, expect, test } from 'vitest';
import type { PlanFacts } from '../../../../functions/domain/plan-facts.ts';
import { type PlanNoticeKind, planNotices, reminderAt } from '../../../../functions/domain/plan-notices.ts';
import { endIn, givesPlan } from '../../../../functions/domain/standing.ts';
import type { Notified, Payment } from '../../../../schemas/rows/notified.ts';
import type { Charge, Standing } from '../../../../schemas/shapes/standing.ts';

const now = new Date('2026-01-20T12:00:00Z');
const SOON = '2026-01-22T12:00:00.000Z';
const LATER = '2026-02-15T12:00:00.000Z';
const FAR = '2026-05-15T12:00:00.000Z';
const PAST = '2026-01-10T12:00:00.000Z';

const payment = (at: number, fields: Partial<Payment> = {}): Payment => ({
  plan: 'plus',
  at,
  amount: 500,
  currency: 'usd',
  isFirst: false,
  years: 0,
  ...fields,
});
const usd = (amount: number) => ({ amount, currency: 'usd' });
/** The next charge, of $5, after so many days. */
const charge = (days: number, fields: Partial<Charge> = {}): Charge => ({
  subscription: 'sub_1',
  on: new Date(now.getTime() + days * 86_400_000).toISOString(),
  price: usd(500),
  interval: 'month',
  money: null,
  ...fields,
});
const [first, afterAYear] = [payment(1, { isFirst: true }), payment(3, { years: 1 })];
const higher = { price: usd(800) };

type Facts = Omit<Notified, 'standing'>;
type Of<K extends Standing['kind']> = Extract<Standing, { kind: K }>;
/** A plan that renews, and ends where `until` says so. */
const plus = (facts: Facts = {}, ...charges: Charge[]): Notified => ({
  standing: { kind: 'renews', plan: 'plus', on: LATER, until: null, charges },
  ...facts,
});
/** After the nth payment. */
const paid = (count: number, ...charges: Charge[]) => plus({ paid: payment(count) }, ...charges);
/** After a payment of half the price. */
const half = (...charges: Charge[]) => plus({ paid: payment(1, { amount: 250 }) }, ...charges);
const ending = (on: string, facts: Facts = {}): Notified => ({
  standing: { kind: 'ends', plan: 'plus', on, renewal: 'free', charges: [] },
  ...facts,
});
const unknown = { endsAt: null, payAt: null, nextTry: null, lostOn: null, cause: null };
const failed = (paysUntil: string, facts: Facts = {}, fields: Partial<Of<'failed'>> = {}) => ({
  standing: {
    kind: 'failed',
    plan: 'plus',
    money: usd(500),
    paysUntil,
    ...unknown,
    charges: [],
    ...fields,
  } satisfies Standing,
  ...facts,
});
const free = (facts: Facts = {}): Notified => ({
  standing: { kind: 'free', endedAt: null },
  ...facts,
});
const complimentary: Notified = { standing: { kind: 'complimentary', plan: 'plus' } };
const complimentaryUntil = (on: string): Notified => ({
  standing: { kind: 'ends', plan: 'plus', on, renewal: 'purchase', charges: [] },
});
const purchaseFailed = (on: string): Notified => ({
  standing: { kind: 'purchase-failed', plan: 'plus', on },
});
const paused: Notified = { standing: { kind: 'paused', plan: 'plus', on: null, charges: [] } };
const lost: Notified = { standing: { kind: 'lost', plan: 'plus', since: PAST, hasOpenInvoice: false } };
const refunded = { at: 1, because: 'duplicate', amount: 500, currency: 'usd' } as const;

function* everyState(): Generator<Notified> {
  for (const newest of [undefined, first, payment(2), afterAYear]) {
    for (const returned of [undefined, refunded]) {
      const facts = { ...(newest && { paid: newest }), ...(returned && { refunded: returned }) };
      const withFacts = ({ standing }: Notified): Notified => ({ standing, ...facts });
      yield* [free(), plus(), paused, complimentary, purchaseFailed(PAST), failed(LATER)].map(withFacts);
      for (const end of [PAST, SOON, LATER])
        yield* [ending(end), complimentaryUntil(end), failed(LATER, {}, { endsAt: end })].map(withFacts);
    }
  }
}
const states = [...everyState()];
const kinds = (mailed: Notified, facts: PlanFacts, at = now): PlanNoticeKind[] =>
  planNotices(mailed, facts, at).map(({ kind }) => kind);

const pairs = states.flatMap((mailed) => states.map((seen) => ({ mailed, seen })));

describe('the mails from what was mailed to what is so', () => {
  test('are sent once, in every pair of states, also after a crash between two mails', () => {
    const twice = pairs.filter(({ mailed, seen }) => {
      const notices = planNotices(mailed, seen, now);
      return notices.some(({ after }, index) => {
        const rest = notices.slice(index + 1).map(({ kind }) => kind);
        return String(kinds(after, seen)) !== String(rest);
      });
    });
    expect(twice.slice(0, 3)).toEqual([]);
  });

  test('say once that a payment was waived, also where the plan was canceled meanwhile', () => {
    const [cancelled] = planNotices(failed(PAST), ending(LATER), now);
    expect(cancelled?.kind).toBe('cancelled');
    expect(kinds(cancelled?.after ?? free(), ending(LATER))).toEqual([]);
  });

  test('leave nobody in doubt of the plan, whether a mail has arrived whose sending was cut off', () => {
    const plan = ({ standing }: PlanFacts) => `${givesPlan(standing)} ${endIn(standing)}`;
    const unpaid = states.filter((state) => !state.paid && !state.refunded);
    const doubts = unpaid.flatMap((mailed) =>
      unpaid.flatMap((maybe) =>
        unpaid.filter((seen) => {
          const last = planNotices(mailed, seen, now, [maybe]).at(-1);
          const readers = last ? [last.after, ...last.maybeAfter] : [mailed, maybe];
          return readers.some((reader) => plan(reader) !== plan(seen));
        }),
      ),
    );
    expect(doubts.slice(0, 3)).toEqual([]);
  });

  /** By the mails that they cause: changes from what was mailed to what is so. */
  const changes: Record<string, [change: string, mailed: Notified, facts: PlanFacts][]> = {
    begun: [
      ['a purchase', free(), plus({ paid: first })],
      ['a purchase on a complimentary plan that ends', complimentaryUntil(LATER), plus({ paid: first })],
    ],
    'begun, cancelled': [['a purchase that was cancelled at once', free(), ending(LATER, { paid: first })]],
    'begun, ended': [['a purchase that has ended since', free(), free({ paid: first })]],
    renewed: [
      ['a renewal', paid(1), paid(2)],
      ['a renewal in the year after', plus({ paid: afterAYear }), plus({ paid: payment(5, { years: 1 }) })],
    ],
    'renewed, year': [['the twelfth renewal', paid(2), plus({ paid: afterAYear })]],
    'renewed, kept': [
      ['a renewal after an end that was taken back', ending(LATER, { paid: payment(1) }), paid(2)],
    ],
    'renewed, failed': [
      ['a payment, and the failure of the next one', paid(1), failed(LATER, { paid: payment(2) })],
    ],
    failed: [
      ['a failed payment', paid(1), failed(LATER, { paid: payment(1) })],
      [
        'a failed payment whose draft was mailed',
        { standing: { ...failed(LATER).standing, kind: 'pending', payment: 'soon' } },
        failed(LATER),
      ],
      ['the failure of the renewal after it', failed(PAST), failed(LATER)],
    ],
    'cancelled, failed': [
      ['a payment that fails while the end was set', plus(), failed(LATER, {}, { endsAt: LATER })],
    ],
    arrived: [
      ['the payment that had failed', failed(LATER, { paid: payment(1) }), paid(2)],
      ['a payment after Plus had ended unpaid', free({ paid: payment(1) }), paid(2)],
    ],
    kept: [
      ['a failed payment that support has waived', failed(LATER, { paid: payment(1) }), paid(1)],
      ['an end that was taken back', ending(LATER), plus()],
      ['a paused plan that goes on', paused, plus()],
    ],
    'purchase-failed': [
      ['a purchase whose payment failed days later', free(), purchaseFailed(PAST)],
      ['another one', purchaseFailed(PAST), purchaseFailed(LATER)],
    ],
    'year, terms': [
      ['a year, and a higher charge', paid(3, charge(20)), plus({ paid: afterAYear }, charge(20, higher))],
    ],
    terms: [
      ['a higher charge in thirty days', paid(1, charge(30)), paid(1, charge(30, higher))],
      [
        'a discounted charge that moves by hours, of which Stripe wasn’t asked again',
        half(charge(20, { money: usd(250) })),
        half(charge(20.5)),
      ],
      [
        'a discounted charge at another price, of which Stripe wasn’t asked again',
        half(charge(20, { money: usd(250) })),
        half(charge(20, higher)),
      ],
      ['the end of a discount, which the last receipt named', half(charge(20)), half(charge(20))],
      ['a charge that moves by more than a day', plus({}, charge(200)), plus({}, charge(201.1))],
      ['a charge in another interval', plus({}, charge(200)), plus({}, charge(200, { interval: 'year' }))],
      [
        'a charge in another currency',
        plus({}, charge(200)),
        plus({}, charge(200, { price: { amount: 500, currency: 'eur' } })),
      ],
      [
        'a higher charge after a renewal that a voucher paid',
        plus({ paid: payment(1), announced: true }, charge(-1)),
        paid(1, charge(29, { money: usd(800) })),
      ],
      [
        'a second subscription that support has made',
        plus({}, charge(20)),
        plus({}, charge(20), charge(25, { subscription: 'sub_2' })),
      ],
    ],
    cancelled: [
      ['a cancellation', plus(), ending(LATER)],
      ['another end', ending(LATER), ending(FAR)],
      ['an end within three days', plus(), ending(SOON)],
      ['a complimentary plan that is cancelled', complimentary, complimentaryUntil(LATER)],
    ],
    ending: [['an end within three days that was mailed long ago', ending(SOON), ending(SOON)]],
    ended: [
      ['the end', ending(PAST), free()],
      ['a plan that support pauses', plus(), paused],
      ['the unpaid end of a paused plan', paused, lost],
      ['the end of a paused plan', paused, free()],
    ],
    'ended, purchase-failed': [['the end of a purchase that failed', plus(), purchaseFailed(PAST)]],
    complimentary: [['a complimentary plan', free(), complimentary]],
    refunded: [
      ['a refunded duplicate', plus(), plus({ refunded })],
      [
        'a payment that was returned after the end',
        free({ refunded }),
        free({ refunded: { ...refunded, at: 2, because: 'late' } }),
      ],
    ],
    none: [
      ['the next failure of the same payment', failed(LATER), failed(LATER, {}, { nextTry: SOON })],
      [
        'another charge of a payment that failed',
        failed(LATER, { paid: payment(1) }, { charges: [charge(20)] }),
        failed(LATER, { paid: payment(1) }, { charges: [charge(20, higher)] }),
      ],
      [
        'a subscription that has taken another’s place, beside a yearly one',
        paid(1, charge(20), charge(200, { subscription: 'sub_2', interval: 'year' })),
        paid(1, charge(20), charge(200, { subscription: 'sub_3', interval: 'year' })),
      ],
      ['the charge after one of this second', paid(1, charge(0)), paid(1, charge(30))],
      ['a charge that moves by a day', plus({}, charge(200)), plus({}, charge(201))],
      [
        'a charge that is higher than a payment in another currency',
        plus({ paid: payment(1, { amount: 400, currency: 'eur' }) }, charge(20)),
        plus({ paid: payment(1, { amount: 400, currency: 'eur' }) }, charge(20)),
      ],
      ['a higher charge in more than thirty days', paid(1, charge(40)), paid(1, charge(40, higher))],
      [
        'the end of a discount, which was announced',
        plus({ paid: payment(1, { amount: 250 }), announced: true }, charge(20)),
        half(charge(20)),
      ],
      ['a lower charge', paid(1, charge(20)), paid(1, charge(20, { money: usd(250) }))],
      ['a renewal that will cost nothing', paid(1, charge(20)), paid(1, charge(20, { money: usd(0) }))],
      [
        'the same charge, of which Stripe wasn’t asked again',
        half(charge(20, { money: usd(250) })),
        half(charge(20)),
      ],
      [
        'a price that is higher, of which a discount takes the difference',
        paid(1, charge(20)),
        paid(1, charge(20, { ...higher, money: usd(500) })),
      ],
      // A renewal that cost nothing, or that a pause has skipped, has no receipt.
      [
        'the charge after a renewal that a voucher paid',
        plus({ paid: payment(1), announced: true }, charge(-1)),
        paid(1, charge(29)),
      ],
      [
        'a second subscription that no longer renews',
        plus({}, charge(20), charge(25, { subscription: 'sub_2' })),
        plus({}, charge(20)),
      ],
      ['another hour of the same end', ending(LATER), ending(`${LATER.slice(0, 10)}T00:00:00.000Z`)],
      ['an end that has passed while Stripe still says Plus', ending(PAST), ending(PAST)],
    ],
  };

  describe.each(Object.entries(changes))('after which they are: %s,', (expected, cases) => {
    test.each(cases)('%s', (_, mailed, facts) => {
      expect(kinds(mailed, facts).join(', ') || 'none').toBe(expected);
      const after = planNotices(mailed, facts, now).at(-1)?.after ?? mailed;
      expect(kinds(after, facts)).toEqual([]);
    });
  });

  test('have announced a charge in the next thirty days, beside another', () => {
    const announced = (...charges: Charge[]) =>
      planNotices(free(), plus({ paid: first }, ...charges), now).at(-1)?.after.announced;
    expect(announced(charge(40))).toBeUndefined();
    expect(announced(charge(20), charge(40, { subscription: 'sub_2' }))).toBe(true);
  });

  test('say that a paused plan is over, after they said that it was paused', () => {
    const after = planNotices(plus(), paused, now).at(-1)!.after;
    expect(kinds(after, free())).toEqual(['ended']);
  });

  test('compare with the mail that was cut off too, and each kind is mailed once', () => {
    const after = (facts: PlanFacts, ...maybe: Notified[]) =>
      planNotices(plus(), facts, now, maybe).map(({ kind }) => kind);
    expect(after(ending(LATER), free(), plus())).toEqual(['cancelled']);
    expect(after(plus(), ending(LATER), free())).toEqual(['kept']);
    expect(after(plus({ paid: payment(2) }), free())).toEqual(['arrived']);
    expect(after(plus({ paid: payment(2) }), plus())).toEqual(['renewed']);
  });

  test('a reminder of the end comes once, three days before', () => {
    expect(reminderAt({})).toBeUndefined();
    const cancelled = planNotices(plus(), ending(LATER), now).at(-1)!.after;
    const at = reminderAt({ plan_expires_at: LATER })!;
    expect(at.toISOString()).toBe('2026-02-12T12:00:00.000Z');
    expect(kinds(cancelled, ending(LATER), new Date(at.getTime() - 1))).toEqual([]);
    expect(kinds(cancelled, ending(LATER), at)).toEqual(['ending']);
    expect(kinds(cancelled, ending(LATER), new Date(LATER))).toEqual([]);
  });
});
