import { offers } from '../../../schemas/product/offers.ts';
import * as fc from 'fast-check';
import type { FaultName } from '../../../infra/local/vendors/stripe/faults.ts';
import { type Fault, faultKinds } from '../faults/fault.ts';
import { type Action, type InstantAction, refusedCalls } from './action.ts';
import { deliveries, type History, starts, type Step, stepsWithoutFaults } from './history.ts';

const user = fc.oneof(
  { weight: 5, arbitrary: fc.constant('ada' as const) },
  { weight: 1, arbitrary: fc.constant('eve' as const) },
);
const card = fc.oneof(
  { weight: 5, arbitrary: fc.constant('pays' as const) },
  { weight: 3, arbitrary: fc.constant('fails at renewals' as const) },
  { weight: 1, arbitrary: fc.constant('is declined' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'settles later' as const,
      'fails later' as const,
      'is refunded later' as const,
      'is refunded in vain' as const,
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'asks the bank' as const,
      'asks the bank each time' as const,
      'asks the bank in vain' as const,
    ),
  },
);
const session = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const event = fc.nat(30);
const hours = fc.oneof(fc.integer({ min: 1, max: 48 }), fc.integer({ min: 1, max: 40 * 24 }));
const optionalHours = fc.option(fc.integer({ min: 1, max: 60 * 24 }), { nil: undefined });
const refusals = [
  'bad-request',
  'not-found',
  'lock-timeout',
  'key-in-use',
  'rate-limited',
  'rate-limited-with-retry-after',
  'server-error',
  'dropped-before',
  'dropped-after',
] as const satisfies readonly FaultName[];
const actionOf = <K extends Action['type']>(
  name: K,
  rest: {
    [F in Exclude<keyof Extract<Action, { type: K }>, 'type'>]: fc.Arbitrary<Extract<Action, { type: K }>[F]>;
  },
): fc.Arbitrary<Extract<Action, { type: K }>> =>
  fc.record({ type: fc.constant(name), ...(rest as object) }) as unknown as fc.Arbitrary<
    Extract<Action, { type: K }>
  >;

const answersBank = actionOf('answer the bank', {
  question: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
  answer: fc.constantFrom('accepted', 'accepted', 'refused'),
});
const discounts = actionOf('support gives a discount', {
  percent: fc.constantFrom(50, 95, 100),
  duration: fc.constantFrom('forever', 'once', 'repeating'),
  to: fc.constantFrom('customer', 'item', 'subscription'),
});
const replays = actionOf('replay an event', { event });
const pausesPlan = actionOf('support pauses the subscription', { credits: fc.boolean() });
const resumesPlan = actionOf('support resumes the subscription', {});
const sendsInvoices = actionOf('support sends the invoices by mail', { byMail: fc.constant(true) });
const forgives = actionOf('support forgives the open invoice', {
  by: fc.constantFrom('mark_uncollectible', 'void'),
});
const pausesPayments = actionOf('support pauses the payments', {
  behavior: fc.constantFrom('keep_as_draft', 'mark_uncollectible', 'void'),
});

const instantActions: [weight: number, fc.Arbitrary<InstantAction>][] = [
  [4, actionOf('read the plan', {})],
  [7, actionOf('open a checkout', {})],
  [9, actionOf('pay', { session, card })],
  [3, answersBank],
  [3, actionOf('return from checkout', { session, user })],
  [
    4,
    actionOf('cancel', {
      target: fc.constantFrom(
        'shown subscription',
        'shown subscription',
        'old subscription',
        'complimentary plan',
      ),
      user,
    }),
  ],
  [3, actionOf('renew', {})],
  [2, actionOf('enter a new card', { card })],
  [1, actionOf('pay the open invoice', {})],
  [1, actionOf('delete the account', {})],
  [4, actionOf('sign up', {})],
  [2, actionOf('cancel in the portal', { hours: optionalHours })],
  [1, actionOf('renew in the portal', {})],
  [1, actionOf('support ends the subscription', {})],
  [1, pausesPayments],
  [1, actionOf('support resumes the payments', {})],
  [1, pausesPlan],
  [1, resumesPlan],
  [1, actionOf('support sends the invoices by mail', { byMail: fc.boolean() })],
  [1, forgives],
  [2, discounts],
  [1, actionOf('support sets the balance', { cents: fc.constantFrom(-700, -200, 0, 100) })],
  [1, actionOf('support adds an item', { cents: fc.constantFrom(-300, 300) })],
  [1, actionOf('Stripe finalizes no invoice', { ends: fc.boolean() })],
  [1, actionOf('support finalizes a renewal', {})],
  [1, actionOf('support schedules the subscription', {})],
  [1, actionOf('Stripe stops trying', {})],
  [1, actionOf('support refunds a payment', {})],
  [1, actionOf('the bank opens a dispute', {})],
  [1, actionOf('support grants a complimentary plan', { hours: optionalHours })],
  [1, actionOf('support opens a second checkout', {})],
  [
    1,
    actionOf('Stripe begins to refuse', {
      call: fc.constantFrom(...refusedCalls),
      fault: fc.constantFrom(...refusals),
      hours: fc.integer({ min: 1, max: 60 }),
    }),
  ],
  [4, actionOf('deliver an event', { event, keep: fc.boolean() })],
  [1, actionOf('drop an event', { event })],
  [2, replays],
  [1, actionOf('run the expiry sweep', {})],
  [1, actionOf('run the event catch-up', {})],
  [1, actionOf('run the billing tasks', {})],
];
const weighted = instantActions.map(([weight, arbitrary]) => ({ weight, arbitrary }));
// Time does not pass during a request.
const anyInstantAction = fc.oneof(...weighted);
const anyAction = fc.oneof<fc.MaybeWeightedArbitrary<Action>[]>(...weighted, {
  weight: 6,
  arbitrary: fc.oneof(
    { weight: 4, arbitrary: actionOf('time passes', { hours }) },
    { weight: 1, arbitrary: actionOf('time passes in silence', { days: fc.integer({ min: 20, max: 70 }) }) },
    {
      weight: 1,
      arbitrary: actionOf('time passes to the renewal', { minutes: fc.integer({ min: -5, max: 90 }) }),
    },
  ),
});
// The longest handler makes about twenty calls; most make five.
const fault: fc.Arbitrary<Fault | undefined> = fc.option(
  fc.record({ at: fc.oneof(fc.nat(5), fc.nat(20)), kind: fc.constantFrom(...faultKinds) }),
  { nil: undefined, freq: 2 },
);

const stepOf = (action: fc.Arbitrary<Action>): fc.Arbitrary<Step> =>
  fc.record({
    action,
    fault: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: fault }),
    concurrent: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      {
        weight: 2,
        arbitrary: fc.record({
          action: anyInstantAction,
          fault: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fault }),
        }),
      },
    ),
    turns: fc.array(fc.nat(2), { maxLength: 24 }),
    delivery: fc.oneof(
      { weight: 6, arbitrary: fc.constant('in order' as const) },
      { weight: 6, arbitrary: fc.constantFrom(...deliveries) },
    ),
  });

const inSequence = (...arbitraries: fc.Arbitrary<Action>[]): fc.Arbitrary<Step[]> =>
  fc.tuple(...arbitraries.map(stepOf));
const opens = actionOf('open a checkout', {});
const paysFirst = actionOf('pay', { session: fc.constant(0), card });
const paysWith = (only: Extract<Action, { type: 'pay' }>['card']) =>
  actionOf('pay', { session: fc.constant(0), card: fc.constant(only) });
const asksBank = paysWith('asks the bank');
const opensAnother = actionOf('support opens a second checkout', {});
const paysAnother = (by: typeof card) => actionOf('pay', { session: fc.constant(1), card: by });
const paysInvoice = actionOf('pay the open invoice', {});
const saysYes = (question: number) =>
  actionOf('answer the bank', { question: fc.constant(question), answer: fc.constant('accepted') });
const reads = actionOf('read the plan', {});
const returns = actionOf('return from checkout', { session: fc.constant(0), user: fc.constant('ada') });
// Stripe keeps the invoice as a draft for an hour.
const toTheRenewal = actionOf('time passes to the renewal', { minutes: fc.integer({ min: 0, max: 90 }) });
const aMonth = actionOf('time passes', { hours: fc.integer({ min: 28 * 24, max: 34 * 24 }) });
const cancels = actionOf('cancel', { target: fc.constant('shown subscription'), user: fc.constant('ada') });

/** Sequences that random actions seldom produce. */
const episodes = [
  inSequence(opens, paysFirst),
  inSequence(opens, paysFirst, aMonth),
  inSequence(cancels, actionOf('renew in the portal', {}), aMonth, reads),
  inSequence(opens, opensAnother, paysFirst, paysAnother(card)),
  inSequence(actionOf('delete the account', {}), actionOf('sign up', {})),
  inSequence(cancels, actionOf('deliver an event', { event, keep: fc.boolean() })),
  inSequence(opens, paysFirst, toTheRenewal, cancels),
  inSequence(opens, paysFirst, toTheRenewal, actionOf('support finalizes a renewal', {}), cancels),
  inSequence(opens, paysFirst, toTheRenewal, actionOf('delete the account', {})),
  inSequence(toTheRenewal, anyAction, cancels),
  inSequence(opens, paysWith('fails at renewals'), aMonth, actionOf('Stripe stops trying', {}), aMonth),
  inSequence(opens, paysFirst, pausesPayments, aMonth, cancels, aMonth),
  inSequence(opens, paysFirst, pausesPlan, opens, aMonth, resumesPlan, aMonth),
  inSequence(opens, paysFirst, pausesPlan, cancels, opens, paysFirst),
  inSequence(opens, paysFirst, sendsInvoices, aMonth, aMonth, paysInvoice),
  inSequence(opens, paysWith('fails at renewals'), aMonth, forgives, cancels, paysInvoice),
  inSequence(opens, paysFirst, discounts, reads, toTheRenewal, reads, cancels, aMonth),
  inSequence(opens, paysFirst, sendsInvoices, aMonth, reads),
  inSequence(opens, paysFirst, pausesPlan, reads),
  // The tab with the bank's question is closed, and the user buys again, in another tab or by another card.
  inSequence(opens, asksBank, opens, paysFirst, answersBank, returns),
  inSequence(
    opens,
    opensAnother,
    asksBank,
    paysAnother(fc.constant('asks the bank')),
    answersBank,
    saysYes(1),
    returns,
  ),
  // The bank asks at the renewal, and the user answers it late and buys again.
  inSequence(opens, paysWith('asks the bank each time'), saysYes(0), aMonth, opens, paysInvoice, paysFirst),
  // A purchase is given up, and its events come again after the next (tests/integration/product/named-cases).
  inSequence(opens, paysWith('is declined'), paysWith('pays'), replays, aMonth, replays),
  // A new card ends a payment that was stuck.
  inSequence(opens, paysWith('fails at renewals'), aMonth, actionOf('enter a new card', { card }), aMonth),
  // The renewal's draft is older than the invoice of the resumption.
  inSequence(opens, paysFirst, toTheRenewal, pausesPlan, resumesPlan, cancels),
  inSequence(
    opens,
    opensAnother,
    paysFirst,
    paysAnother(card),
    actionOf('time passes in silence', { days: fc.integer({ min: 28, max: 70 }) }),
  ),
];

/** Random histories. */
export const anyHistory = (): fc.Arbitrary<History> =>
  fc.record({
    start: fc.constantFrom(...starts),
    offer: fc.constantFrom(...offers.map(({ key }) => key)),
    hourly: fc.boolean(),
    steps: fc
      .array(
        fc.oneof(
          { weight: 12, arbitrary: stepOf(anyAction).map((step) => [step]) },
          ...episodes.map((arbitrary) => ({ weight: 1, arbitrary })),
        ),
        { minLength: 1, maxLength: 16, size: 'max' },
      )
      .map((parts) => parts.flat()),
  });

/** A cancellation starts and ends between two calls of a webhook delivery that started earlier. */
export const concurrentCancellation: fc.Arbitrary<History> = fc
  .record({ before: fc.nat(4), event })
  .map(({ before, event: replayed }) => ({
    start: '2030-01-15T12:00:00.000Z',
    hourly: false,
    steps: [
      ...stepsWithoutFaults([{ type: 'open a checkout' }, { type: 'pay', session: 0, card: 'pays' }]),
      {
        action: { type: 'cancel', target: 'shown subscription', user: 'ada' },
        fault: undefined,
        concurrent: { action: { type: 'replay an event', event: replayed }, fault: undefined },
        // The last of one, two or three waiting calls: the cancellation begins with two at once.
        turns: Array.from({ length: before }, () => 5),
        delivery: 'never',
      },
    ],
  }));

/** One history: these actions, without faults. Every webhook is lost, and no schedule runs by itself. */
export const withoutWebhooks = (...actions: Action[]): fc.Arbitrary<History> =>
  fc.constant({
    start: '2030-01-15T12:00:00.000Z',
    hourly: false,
    steps: stepsWithoutFaults(actions, 'never'),
  });
