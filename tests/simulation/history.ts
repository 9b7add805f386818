import * as fc from 'fast-check';
import { blows, type Strike } from './turns.ts';

/** What somebody does, or what happens. Any deed can be done at any time: where it makes no sense, nothing comes of it. */
export type Deed =
  | { do: 'read the plan' }
  | { do: 'open a checkout' }
  // `session` counts from the last that a browser has seen.
  | { do: 'pay'; session: number; card: keyof typeof cards }
  | { do: 'return'; session: number; who: Who }
  | { do: 'cancel'; what: 'what the page shows' | 'an old subscription' | 'a gift'; who: Who }
  | { do: 'renew' }
  | { do: 'enter a new card'; card: keyof typeof cards }
  | { do: 'pay what is owed' }
  | { do: 'delete the account' }
  | { do: 'sign up' }
  | { do: 'cancel in the portal'; hours: number | undefined }
  | { do: 'renew in the portal' }
  | { do: 'support ends it' }
  | { do: 'support refunds' }
  | { do: 'the bank disputes' }
  | { do: 'support gives Plus'; hours: number | undefined }
  // As Stripe's own dashboard sells, past every guard of ours.
  | { do: 'a second checkout opens' }
  | { do: 'deliver'; event: number; keep: boolean }
  | { do: 'drop'; event: number }
  | { do: 'replay'; event: number }
  | { do: 'sweep' }
  | { do: 'catch up' }
  | { do: 'time passes'; hours: number };

/** Eve has an account too, and knows what ids Ada's browser shows. */
type Who = 'ada' | 'eve';

export const cards = {
  pays: '4242424242424242',
  'fails at renewals': '4000000000000341',
  'is declined': '4000000000000002',
} as const;

/** What becomes of the events that a step caused, as soon as it is over. What stays undelivered may be delivered by a later step. */
export const posts = ['in order', 'backwards', 'each twice', 'later', 'never'] as const;

export interface Step {
  deed: Deed;
  strike: Strike | undefined;
  /** Happens at the same time, call by call as `turns` says. */
  beside: { deed: Deed; strike: Strike | undefined } | undefined;
  turns: readonly number[];
  post: (typeof posts)[number];
}

export interface History {
  start: (typeof starts)[number];
  /** Whether the schedules run every hour as deployed, of which the enemy may make one fail but never two on end. */
  hourly: boolean;
  steps: readonly Step[];
}

// A day like any other; one after which February has no such day; the end of a year; a leap day.
const starts = [
  '2030-01-15T12:00:00.000Z',
  '2030-01-31T23:30:00.000Z',
  '2031-12-31T23:59:59.000Z',
  '2032-02-29T00:00:00.000Z',
] as const;

const who = fc.oneof(
  { weight: 5, arbitrary: fc.constant('ada' as const) },
  { weight: 1, arbitrary: fc.constant('eve' as const) },
);
const card = fc.oneof(
  { weight: 5, arbitrary: fc.constant('pays' as const) },
  { weight: 3, arbitrary: fc.constant('fails at renewals' as const) },
  { weight: 1, arbitrary: fc.constant('is declined' as const) },
);
const session = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const event = fc.nat(30);
const hours = fc.oneof(fc.integer({ min: 1, max: 48 }), fc.integer({ min: 1, max: 40 * 24 }));
const perhapsHours = fc.option(fc.integer({ min: 1, max: 60 * 24 }), { nil: undefined });
const deedOf = <K extends Deed['do']>(
  name: K,
  rest: { [F in Exclude<keyof Extract<Deed, { do: K }>, 'do'>]: fc.Arbitrary<Extract<Deed, { do: K }>[F]> },
): fc.Arbitrary<Deed> =>
  fc.record({ do: fc.constant(name), ...(rest as object) }) as unknown as fc.Arbitrary<Deed>;

const deeds: [number, fc.Arbitrary<Deed>][] = [
  [2, deedOf('read the plan', {})],
  [7, deedOf('open a checkout', {})],
  [9, deedOf('pay', { session, card })],
  [3, deedOf('return', { session, who })],
  [
    4,
    deedOf('cancel', {
      what: fc.constantFrom('what the page shows', 'what the page shows', 'an old subscription', 'a gift'),
      who,
    }),
  ],
  [3, deedOf('renew', {})],
  [2, deedOf('enter a new card', { card })],
  [1, deedOf('pay what is owed', {})],
  [1, deedOf('delete the account', {})],
  [4, deedOf('sign up', {})],
  [2, deedOf('cancel in the portal', { hours: perhapsHours })],
  [1, deedOf('renew in the portal', {})],
  [1, deedOf('support ends it', {})],
  [1, deedOf('support refunds', {})],
  [1, deedOf('the bank disputes', {})],
  [1, deedOf('support gives Plus', { hours: perhapsHours })],
  [1, deedOf('a second checkout opens', {})],
  [4, deedOf('deliver', { event, keep: fc.boolean() })],
  [1, deedOf('drop', { event })],
  [2, deedOf('replay', { event })],
  [1, deedOf('sweep', {})],
  [1, deedOf('catch up', {})],
  [6, deedOf('time passes', { hours })],
];
const deed = fc.oneof(...deeds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
// Time doesn't pass within a request.
const deedBeside = fc.oneof(...deeds.slice(0, -1).map(([weight, arbitrary]) => ({ weight, arbitrary })));
// The longest handler makes some twenty calls; most make five.
const strike: fc.Arbitrary<Strike | undefined> = fc.option(
  fc.record({ at: fc.oneof(fc.nat(5), fc.nat(20)), blow: fc.constantFrom(...blows) }),
  { nil: undefined, freq: 2 },
);

const stepOf = (deed: fc.Arbitrary<Deed>): fc.Arbitrary<Step> =>
  fc.record({
    deed,
    strike: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: strike }),
    beside: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      {
        weight: 2,
        arbitrary: fc.record({
          deed: deedBeside,
          strike: fc.oneof(
            { weight: 4, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: strike },
          ),
        }),
      },
    ),
    turns: fc.array(fc.nat(2), { maxLength: 24 }),
    post: fc.oneof(
      { weight: 6, arbitrary: fc.constant('in order' as const) },
      { weight: 6, arbitrary: fc.constantFrom(...posts) },
    ),
  });

const inTurn = (...arbitraries: fc.Arbitrary<Deed>[]): fc.Arbitrary<Step[]> =>
  fc.tuple(...arbitraries.map(stepOf));
const opens = deedOf('open a checkout', {});
const paysFirst = deedOf('pay', { session: fc.constant(0), card });
const aMonth = deedOf('time passes', { hours: fc.integer({ min: 28 * 24, max: 34 * 24 }) });
const cancels = deedOf('cancel', { what: fc.constant('what the page shows'), who: fc.constant('ada') });

/** What seldom comes about by chance. */
const episodes = [
  inTurn(opens, paysFirst),
  inTurn(opens, paysFirst, aMonth),
  inTurn(cancels, deedOf('renew in the portal', {}), aMonth, deedOf('read the plan', {})),
  inTurn(
    opens,
    deedOf('a second checkout opens', {}),
    paysFirst,
    deedOf('pay', { session: fc.constant(1), card }),
  ),
  inTurn(deedOf('delete the account', {}), deedOf('sign up', {})),
  inTurn(cancels, deedOf('deliver', { event, keep: fc.boolean() })),
];

export const history = (longest = 16): fc.Arbitrary<History> =>
  fc.record({
    start: fc.constantFrom(...starts),
    hourly: fc.boolean(),
    steps: fc
      .array(
        fc.oneof(
          { weight: 12, arbitrary: stepOf(deed).map((step) => [step]) },
          ...episodes.map((arbitrary) => ({ weight: 1, arbitrary })),
        ),
        { minLength: 1, maxLength: longest, size: 'max' },
      )
      .map((parts) => parts.flat()),
  });

/** These deeds after each other, and nothing befalls them. */
export const quietly = (...quiet: Deed[]): Step[] =>
  quiet.map((one) => ({ deed: one, strike: undefined, beside: undefined, turns: [], post: 'in order' }));

/** A cancellation begins and ends between two calls of a look that began before it. */
export const race: fc.Arbitrary<History> = fc
  .record({ before: fc.nat(4), event })
  .map(({ before, event: arriving }) => ({
    start: '2030-01-15T12:00:00.000Z',
    hourly: false,
    steps: [
      ...quietly({ do: 'open a checkout' }, { do: 'pay', session: 0, card: 'pays' }),
      {
        deed: { do: 'cancel', what: 'what the page shows', who: 'ada' },
        strike: undefined,
        beside: { deed: { do: 'replay', event: arriving }, strike: undefined },
        turns: Array.from({ length: before }, () => 1),
        post: 'never',
      },
    ],
  }));
