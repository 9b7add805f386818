import { describe, expect, test } from 'vitest';
import { mainOffer } from '../../../../../schemas/product/offers.ts';
import type { Standing } from '../../../../../schemas/shapes/standing.ts';
import { cancelledOf, consequencesOf } from '../../../../../web/src/plan/cancel-sentences.ts';
import { planDay } from '../../../../../web/src/plan/plan-day.ts';
import { planLineOf } from '../../../../../web/src/plan/plan-line.ts';
import { offerPaidIn, type ShownStanding } from '../../../../../web/src/plan/shown-standing.ts';
import type { Text } from '../../../../../schemas/shapes/text.ts';
import { paymentNoticeOf } from '../../../../../web/src/routes/dashboard/plan/plan-sentences.ts';

const { price, period } = mainOffer;

const NEXT_TRY = '2026-12-04T09:00:00.000Z';
const PERIOD_END = '2026-12-31T12:00:00.000Z';
const LATER = '2027-03-01T12:00:00.000Z';
const END = '2026-12-20T12:00:00.000Z';

const money = { amount: 500, currency: 'usd' };
const pricedPlan = { plan: 'plus', interval: 'month', price: money } as const;
const PAY_AT = 'https://invoice.stripe.com/i/2';
const charge = { subscription: 'sub_1', ...pricedPlan, on: PERIOD_END, money };
const other = { ...charge, subscription: 'sub_2', on: LATER };
const renews = {
  ...pricedPlan,
  kind: 'renews',
  on: PERIOD_END,
  until: null,
  charges: [charge],
} satisfies Standing;
const lower = { ...money, amount: 400 };
const due = { ...pricedPlan, money, endsAt: null, paysUntil: PERIOD_END, payAt: PAY_AT, charges: [charge] };
const pending = { ...due, kind: 'pending', payment: 'soon', payAt: null } satisfies Standing;
const failed = { ...due, kind: 'failed', nextTry: null, lostOn: END, cause: 'declined' } satisfies Standing;
const retried = { ...failed, nextTry: NEXT_TRY, lostOn: null } satisfies Standing;
const ends = { ...pricedPlan, kind: 'ends', on: END, renewal: 'free', charges: [] } satisfies Standing;
const lost = {
  ...pricedPlan,
  kind: 'lost',
  since: '2026-12-10T09:00:00.000Z',
  hasOpenInvoice: false,
} as const;
const invoiced = {
  ...pricedPlan,
  kind: 'invoiced',
  payAt: null,
  endsAt: null,
  charges: [],
} satisfies Standing;

const states = {
  free: { kind: 'free', endedAt: null },
  'free again': { kind: 'free', plan: 'plus', endedAt: END },
  plus: renews,
  'plus of another price': { ...renews, price: lower, charges: [{ ...charge, money: lower }] },
  'plus with a discount': { ...renews, charges: [{ ...charge, money: lower }] },
  'plus for nothing': { ...renews, charges: [{ ...charge, money: { ...money, amount: 0 } }] },
  'plus without a fixed price': { ...renews, price: undefined, charges: [{ ...charge, money: null }] },
  'plus with a second subscription': { ...renews, charges: [charge, other] },
  ending: ends,
  'ending, with a second subscription': { ...ends, charges: [other] },
  'ending and past due': { ...retried, endsAt: END },
  'past due': retried,
  'past due, for an unknown reason': { ...retried, cause: null },
  'past due, to be confirmed': { ...retried, cause: 'confirm' },
  'past due, without a card': { ...retried, cause: 'no-card' },
  'past due, not tried again': failed,
  'past due, not tried again, no invoice': { ...failed, payAt: null },
  'the hour after a renewal': pending,
  'ending, in the hour after a renewal': { ...pending, endsAt: END },
  'a renewal that is processing': { ...pending, payment: 'processing' },
  'a renewal that Stripe cannot charge yet': { ...pending, payment: 'delayed' },
  'mailed invoices': invoiced,
  'a mailed invoice': { ...invoiced, payAt: PAY_AT, endsAt: END },
  paused: { ...pricedPlan, kind: 'paused', on: PERIOD_END, charges: [] },
  'paused, without Plus': { ...pricedPlan, kind: 'paused', on: null, charges: [] },
  'ending later': { ...renews, until: LATER },
  unpaid: { ...pricedPlan, kind: 'unpaid', payAt: PAY_AT },
  complimentary: { kind: 'complimentary', plan: 'plus' },
  'complimentary, ending': { kind: 'ends', plan: 'plus', on: END, renewal: 'purchase', charges: [] },
  lost,
  'lost, with an open invoice': { ...lost, hasOpenInvoice: true },
  processing: { ...pricedPlan, kind: 'processing', on: null },
  'complimentary, ending, and processing': { ...pricedPlan, kind: 'processing', on: END },
  'purchase failed': { ...pricedPlan, kind: 'purchase-failed', on: '2026-12-12T09:00:00.000Z' },
  'plus, Stripe unreachable': { kind: 'unread', plan: 'plus' },
  'plus, billing loading': { kind: 'loading', plan: 'plus' },
} satisfies Record<string, ShownStanding>;
type State = keyof typeof states;

const wordsOf = (of: Text): string =>
  of.map((part) => (typeof part === 'string' ? part : planDay(part.day))).join('');
/** The lead, the sentences after it, and the charge alone. */
const line = (state: State) => {
  const said = planLineOf(states[state]);
  return said && [wordsOf(said.lead), wordsOf(said.rest), wordsOf(said.charge ?? said.rest)];
};

test.each<[State, string | undefined]>([
  ['plus', price],
  ['plus of another price', '$4.00'],
  ['past due', price],
  ['plus without a fixed price', undefined],
  ['ending', undefined],
  ['ending later', undefined],
  ['complimentary', undefined],
  ['free', undefined],
  ['plus, billing loading', undefined],
])('the price of a user who is on %s is %s', (state, own) => {
  expect(offerPaidIn(states[state])?.price).toBe(own);
});

describe('the sentences about a plan, and its charge alone', () => {
  const failing = "Your last payment of $5.00 didn't go through";
  const owed = '$5.00 due, and not paid yet.';
  const declined = 'Your bank declined it. ';
  const tried = 'You keep Plus while Stripe tries again, next on December 4, 2026.';
  const next = 'Next charge: $5.00 on December 31, 2026.';
  const notLoaded = "We couldn't load your next charge just now.";
  const on = "You're on Plus";
  const none = "You're not being charged.";
  const renewal = (state: string) => `The payment of $5.00 for the new month ${state}`;

  test.each<[State, string, string, string?]>([
    ['free', "You're on Free", 'You have 20 AI requests per day.', none],
    [
      'free again',
      "You're on Free",
      'You have 20 AI requests per day.',
      `Plus ended on December 20, 2026. ${none}`,
    ],
    ['plus', on, next],
    ['plus of another price', on, 'Next charge: $4.00 on December 31, 2026.'],
    ['plus with a discount', on, 'Next charge: $4.00 on December 31, 2026.'],
    ['plus without a fixed price', on, 'Next charge on December 31, 2026.'],
    ['ending later', on, `${next} Plus ends on March 1, 2027.`],
    ['plus for nothing', on, 'Nothing is charged on December 31, 2026.'],
    [
      'plus with a second subscription',
      on,
      'Next charges: $5.00 on December 31, 2026 and $5.00 on March 1, 2027.',
    ],
    [
      'ending',
      "You're on Plus until December 20, 2026",
      "You won't be charged again.",
      'Plus until December 20, 2026, then Free.',
    ],
    [
      'ending, with a second subscription',
      "You're on Plus until December 20, 2026",
      'Next charge: $5.00 on March 1, 2027.',
      'Plus until December 20, 2026, then Free. Next charge: $5.00 on March 1, 2027.',
    ],
    [
      'ending and past due',
      failing,
      `Plus won't be renewed after December 20, 2026. ${declined}${tried}`,
      owed,
    ],
    ['past due', failing, `${declined}${tried}`, owed],
    ['past due, for an unknown reason', failing, tried, owed],
    [
      'past due, to be confirmed',
      failing,
      "Your bank wants you to confirm it. You keep Plus until December 4, 2026, and lose it later if it isn't paid.",
      owed,
    ],
    ['past due, without a card', failing, `We have no card to charge. ${tried}`, owed],
    [
      'past due, not tried again',
      failing,
      `${declined}Stripe won't try again: Plus ends on December 20, 2026 unless it is paid.`,
      owed,
    ],
    ['the hour after a renewal', on, renewal('will be taken within the hour.')],
    [
      'ending, in the hour after a renewal',
      on,
      `${renewal('will be taken within the hour.')} Plus ends on December 20, 2026.`,
    ],
    ['a renewal that is processing', on, renewal('is being processed by your bank.')],
    [
      'a renewal that Stripe cannot charge yet',
      on,
      renewal("hasn't been taken yet. You don't have to do anything."),
    ],
    ['mailed invoices', on, 'You pay by invoice.'],
    ['a mailed invoice', on, 'You pay by invoice. Plus ends on December 20, 2026.'],
    ['paused', on, 'Your payments are paused: nothing is charged for now.'],
    ['paused, without Plus', 'Your Plus is paused by our support', 'Nothing is charged until it resumes.'],
    [
      'unpaid',
      'Your Plus is paused because your payments failed',
      "Stripe won't try again automatically. Once the open invoice is paid, Plus is back.",
      'An invoice is open and unpaid.',
    ],
    ['complimentary', on, 'It is complimentary: nothing is charged.'],
    [
      'lost',
      'Your Plus ended on December 10, 2026 because your payments failed',
      'You owe nothing, and can buy it again at any time.',
      none,
    ],
    // Nothing is owed only if no invoice is open.
    [
      'lost, with an open invoice',
      'Your Plus ended on December 10, 2026 because your payments failed',
      'You can buy it again at any time.',
      none,
    ],
    [
      'processing',
      'Your payment is being processed',
      'Your bank can take a few days. Plus begins when the money arrives. No action needed.',
      'Your payment is being processed.',
    ],
    [
      'purchase failed',
      "Your payment on December 12, 2026 didn't go through",
      "Your bank didn't complete it. You weren't charged, and you can try again.",
      none,
    ],
    ['plus, Stripe unreachable', on, notLoaded],
  ])('%s: %s. %s', (state, lead, rest, alone = rest) => {
    expect(line(state)).toEqual([lead, rest, alone]);
  });

  test('are missing while billing loads', () => {
    expect(line('plus, billing loading')).toBeNull();
  });

  test.each<[State, State]>([
    ['complimentary, ending, and processing', 'processing'],
    ['complimentary, ending', 'ending'],
  ])('%s: as %s', (state, same) => {
    expect(line(state)).toEqual(line(same));
  });
});

describe('the news of payments on the dashboard', () => {
  const newsOf = (state: State, cardTaken = false) => {
    const news = paymentNoticeOf(states[state], cardTaken);
    return news && [wordsOf(news.title), wordsOf(news.body), ...news.actions];
  };

  test.each<State>([
    'free',
    'plus',
    'mailed invoices',
    'ending',
    'the hour after a renewal',
    'complimentary',
    'plus, Stripe unreachable',
    'plus, billing loading',
  ])('%s: none', (state) => {
    expect(newsOf(state)).toBeNull();
  });

  test.each<[State, string, string[]]>([
    ['past due', "Add a new card so that you don't lose Plus.", ['update-card', 'pay-invoice']],
    [
      'past due, not tried again',
      "Pay the invoice so that you don't lose Plus.",
      ['pay-invoice', 'update-card'],
    ],
    ['past due, not tried again, no invoice', "Add a new card so that you don't lose Plus.", ['update-card']],
    [
      'past due, to be confirmed',
      "Pay the invoice so that you don't lose Plus.",
      ['pay-invoice', 'update-card'],
    ],
  ])('%s: the line, and %s', (state, advice, actions) => {
    const [lead = '', rest = ''] = line(state) ?? [];
    expect(newsOf(state)).toEqual([lead, [rest, advice].filter(Boolean).join(' '), ...actions]);
  });

  test.each<[State, string[]]>([
    ['unpaid', ['pay-invoice']],
    ['a mailed invoice', ['pay-invoice']],
    ['paused, without Plus', ['cancel']],
    ['lost', ['buy']],
    ['processing', []],
    ['purchase failed', ['try-again']],
  ])('%s: the line, and what to do: %s', (state, actions) => {
    expect(newsOf(state)).toEqual([...(line(state)?.slice(0, 2) ?? []), ...actions]);
  });

  test.each<State>(['unpaid', 'lost', 'free', 'complimentary'])('%s: the same after a new card', (state) => {
    expect(newsOf(state, true)).toEqual(newsOf(state));
  });

  test.each<[State, string, string[]]>([
    ['plus', 'Nothing is due.', []],
    ['the hour after a renewal', 'The payment of $5.00 for the new month will be taken within the hour.', []],
    ['paused', 'Nothing is due.', []],
    [
      'past due',
      'Your bank declined it. You keep Plus while Stripe tries again, next on December 4, 2026.',
      ['pay-invoice', 'update-card'],
    ],
    ['past due, not tried again', 'The payment that failed is still due.', ['pay-invoice', 'update-card']],
  ])('%s, after a new card: %s', (state, body, actions) => {
    expect(newsOf(state, true)).toEqual(['Your new card is saved', body, ...actions]);
  });
});

describe('before a cancellation', () => {
  const dueNow =
    /^A payment is due, so Plus ends at once\..* Only if the payment arrives before you cancel do you keep Plus until December 31, 2026\./;
  const either = /If a payment is due, Plus ends at once/;

  test.each<[State, RegExp]>([
    [
      'plus',
      /^You keep Plus until December 31, 2026\. You won't be charged again\. Your account is then on Free, with 20 AI requests per day\.$/,
    ],
    ['past due', dueNow],
    ['past due, not tried again', dueNow],
    ['the hour after a renewal', dueNow],
    ['plus, Stripe unreachable', either],
    ['free', either],
    ['paused, without Plus', /Your Plus is paused, and ends at once\. It doesn't resume, and you won't be/],
    ['unpaid', /Your Plus ends at once\. The open invoice is voided, and you won't be charged again\./],
    ['a mailed invoice', /No other invoice is sent\. An open one stays due\./],
    [
      'complimentary',
      new RegExp(
        `You keep Plus until the end of this month\\..*to have Plus again you buy it, at \\${price} ${period}\\.`,
      ),
    ],
  ])('%s: %s', (state, said) => {
    const kind = state === 'complimentary' ? 'complimentary' : 'subscription';
    const { lead, details } = consequencesOf(kind, states[state]);
    expect([lead, ...details].map(wordsOf).join(' ')).toMatch(said);
  });
});

describe('after a cancellation', () => {
  const keeps = 'You keep Plus until December 20, 2026.';
  const afterwards = `${keeps} After that your account is on Free.`;

  test.each<[State, string, string | undefined]>([
    ['ending', afterwards, 'Changed your mind? Until then you can renew on the '],
    ['complimentary, ending', afterwards, 'Your Plus was complimentary. To keep it you can buy it on the '],
    ['plus, Stripe unreachable', afterwards, undefined],
    [
      'ending and past due',
      "Plus won't be renewed after December 20, 2026, but your last payment didn't go through. Stripe will try again on December 4, 2026. If it isn't paid, Plus ends before that day.",
      undefined,
    ],
    [
      'ending, in the hour after a renewal',
      `${keeps} The payment of $5.00 for the new month will be taken within the hour.`,
      undefined,
    ],
  ])('%s: %s', (state, lead, renewal) => {
    const said = cancelledOf(END, states[state]);
    expect([wordsOf(said.lead), said.renewal?.[0]]).toEqual([lead, renewal]);
  });
});
