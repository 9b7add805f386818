import { actOutside } from '../actions/external-actions.ts';
import { passTimeAtStripe } from '../actions/pass-time.ts';
import { performAction } from '../actions/perform-action.ts';
import { Counters } from '../counters.ts';
import { Actor } from '../faults/actor.ts';
import type { DependencyCall } from '../faults/fault.ts';
import { type Chooser, interleave } from '../faults/interleave.ts';
import type { InstantAction } from '../history/action.ts';
import { BillingState } from '../../../schemas/rows/billing-state.ts';
import { recordEvent } from '../world/record-event.ts';
import type { Dependencies, SystemUnderTest } from '../world/system-under-test.ts';
import { World as RealWorld } from '../world/world.ts';
import type { Actor as ModelActor, World } from './model.ts';
import type { Beginning } from './scenarios.ts';
import { stepOf } from './search.ts';

/** The calls that the model has. Any other call goes as soon as it waits: nobody else can tell when. */
const calls: ReadonlySet<string> = new Set([
  ...['read', 'decide', 'close', 'clear', 'remove', 'adoptCheckout', 'adoptCustomer'].map(
    (name) => `table ${name}`,
  ),
  ...['GET', 'POST'].map((method) => `Stripe ${method} /v1/checkout/sessions`),
  'Stripe GET /v1/checkout/sessions/:id',
  'Stripe POST /v1/checkout/sessions/:id/expire',
  'Stripe GET /v1/subscriptions',
  'Stripe POST /v1/subscriptions/:id',
  'Stripe DELETE /v1/subscriptions/:id',
  'Stripe POST /v1/refunds',
  'Stripe POST /v1/customers',
  'Stripe DELETE /v1/customers/:id',
  'pool remove',
  'user pay',
]);
const BEGIN = 'user begin';

const nameOf = (call: DependencyCall | undefined): string => `${call?.dependency} ${call?.name}`;

/**
 * Runs the real handlers in the order of a trace, one call at a time, and compares them with the model after
 * each step: the next call of the handler, and then the row and everything at Stripe. Throws at the first
 * difference.
 */
export async function replay(
  { prepare }: Beginning,
  start: World,
  trace: readonly string[],
  defect?: (dependencies: Dependencies, world: () => RealWorld) => SystemUnderTest,
): Promise<void> {
  const counters = new Counters();
  const build = defect && ((dependencies: Dependencies) => defect(dependencies, () => world));
  const options = { start: '2030-01-15T12:00:00.000Z', hourly: false, counters, build };
  const world: RealWorld = new RealWorld(options, (event) => recordEvent(world, event));
  try {
    await prepare(world);
    const names = [...new Set(trace)];
    const { choose, compare } = inOrderOf(world, start, trace, names);
    await interleave(
      names.map((name) => {
        const actor = new Actor();
        const begins = start.actors.find((each) => each.name === name);
        return { actor, work: async () => begins && act(world, actor, begins) };
      }),
      choose,
    );
    compare();
    if (!defect) world.violations.throwIfAny();
  } finally {
    world.clock.release();
  }
}

function inOrderOf(
  world: RealWorld,
  start: World,
  trace: readonly string[],
  names: readonly string[],
): { choose: Chooser; compare: () => void } {
  const firstVersion = (world.rowOf(world.subscriber)?.version ?? 0) - start.version;
  let model = start;
  let position = 0;
  /** The call that is due in the current step. Undefined once it was made. */
  let due: string | undefined;
  const runOf = (at: number): number => names.indexOf(trace[at] ?? '');
  let compared = -1;
  const compare = (): void => {
    if (compared === position) return;
    compared = position;
    const [expected, actual] = [inModel(model, firstVersion), inReality(world)].map((part) =>
      JSON.stringify(part),
    );
    if (expected !== actual) {
      throw new Error(`After step ${position} of ${trace.join(', ')}:\nmodel ${expected}\nreal  ${actual}`);
    }
  };
  compare();
  const choose: Chooser = (waiting, running) => {
    const hasEnded = (run: number) => !model.actors.some(({ name }) => name === names[run]);
    const current = runOf(due === undefined ? position - 1 : position);
    const untold = waiting.findIndex(({ run, call }) => {
      const name = nameOf(call);
      // A handler that has ended in the model may still mail, and read the row for it.
      return (
        name !== BEGIN && (!calls.has(name) || (hasEnded(run) && (run !== current || due === undefined)))
      );
    });
    if (untold !== -1) return untold;
    const ofCurrent = waiting.filter(({ run }) => run === current);
    if (running.has(current) && ofCurrent.length === 0) return undefined;
    if (due === undefined) {
      compare();
      const actor = model.actors.find(({ name }) => name === trace[position]);
      // A trace to a violation leaves actors on their way.
      if (!actor) return waiting.length > 0 ? 0 : undefined;
      const { after, call } = stepOf(model, actor);
      model = after;
      due = call;
    }
    const run = runOf(position);
    const begin = waiting.findIndex((each) => each.run === run && nameOf(each.call) === BEGIN);
    const next = waiting.findIndex((each) => each.run === run && nameOf(each.call) === due);
    // The pages of the expiry index are read at the beginning.
    const isMade = begin === -1 || due === 'table expired';
    if (begin === -1 && next === -1) {
      const made = ofCurrent.map(({ call }) => nameOf(call)).join(' and ') || 'nothing';
      throw new Error(
        `Step ${position + 1} of ${trace.join(', ')}: ${due} is due, and the handler does ${made}.`,
      );
    }
    if (isMade) {
      due = undefined;
      position += 1;
    }
    return begin === -1 ? next : begin;
  };
  return { choose, compare };
}

/** Does what an actor of the model stands for. */
async function act(world: RealWorld, actor: Actor, { program, input }: ModelActor): Promise<void> {
  await actor.awaitTurn({ dependency: 'user', name: 'begin' });
  if (program !== 'payment') {
    await performAction(world, actionOf(world, program), actor, true);
    return;
  }
  await actor.awaitTurn({ dependency: 'user', name: 'pay' });
  const session = pay(world, input.target ?? undefined);
  const event = world.events.findIndex(
    ({ event: { type, data } }) =>
      type === 'checkout.session.completed' && 'id' in data.object && data.object.id === session,
  );
  await performAction(world, { type: 'replay an event', event }, actor, true);
}

function actionOf({ events }: RealWorld, program: string): InstantAction {
  switch (program) {
    case 'catchUp':
      return { type: 'run the event catch-up' };
    case 'sweep':
      return { type: 'run the expiry sweep' };
    case 'cancel':
      return { type: 'cancel', target: 'shown subscription', user: 'ada' };
    case 'keep':
      return { type: 'renew' };
    case 'tab':
      return { type: 'open a checkout' };
    case 'deletion':
      return { type: 'delete the account' };
    default: {
      const event = events.findIndex((each) => each.event.type === 'customer.subscription.updated');
      return { type: 'replay an event', event };
    }
  }
}

/** Pays the first session that a tab shows, a second after the payment before. Resolves with its id. */
function pay(world: RealWorld, target: number | undefined): string {
  passTimeAtStripe(world, 1000);
  const { checkoutSessions } = world;
  const shown = (id: string) => checkoutSessions.findIndex((each) => each.id === id);
  const sessions = world.stripe.ledger.sessions.list();
  const id = sessions.find(
    (each, index) => each.status === 'open' && shown(each.id) !== -1 && index === (target ?? index),
  )?.id;
  if (id === undefined) throw new Error('There is no session to pay.');
  actOutside(world, { type: 'pay', session: shown(id), card: 'pays' });
  return id;
}

/** The part of a world of the model that can be compared with the real one. */
function inModel(world: World, firstVersion: number) {
  const { row, version, subscriptions, sessions, userExists, customerExists } = world;
  return {
    row: row && {
      plan: row.plan,
      // A row whose plan ends has no id of a subscription.
      basis: row.ends === 'never' ? row.basis : null,
      ends: row.ends,
      refunded: row.refunded,
      session: row.session,
      isClosing: row.isClosing,
      version: version + firstVersion,
    },
    subscriptions: subscriptions.map(({ ends, hasEnded, duplicate, isClosed, isPaid }) => ({
      ends: hasEnded ? null : ends,
      hasEnded,
      duplicate,
      isClosed,
      isPaid,
    })),
    sessions: sessions.map(({ status }) => status),
    userExists,
    customerExists,
  };
}

function inReality(world: RealWorld): ReturnType<typeof inModel> {
  const { subscriptions, sessions, customers } = world.stripe.ledger;
  const row = world.rowOf(world.subscriber);
  const endOf = (end: number | null) =>
    end === null ? 'never' : end <= world.seconds ? 'before now' : 'later';
  const indexIn = <T>(all: readonly T[], isIt: (each: T) => boolean) => {
    const index = all.findIndex(isIt);
    return index === -1 ? null : index;
  };
  const seen = row?.billing_seen === undefined ? undefined : BillingState.parse(JSON.parse(row.billing_seen));
  const { payments } = world.subscriber.model;
  return {
    row: row
      ? {
          plan: row.plan,
          basis: indexIn(subscriptions.list(), ({ id }) => id === row.stripe_subscription_id),
          ends: endOf(row.plan_expires_at === undefined ? null : Date.parse(row.plan_expires_at) / 1000),
          refunded: indexIn(subscriptions.list(), ({ created }) => created === seen?.refunded?.boughtAt),
          session: indexIn(sessions.list(), ({ id }) => id === row.checkout_session_id),
          isClosing: row.closing_until !== undefined,
          version: row.version,
        }
      : null,
    subscriptions: subscriptions.list().map(({ id, cancel_at, status, metadata: { surplus, closed } }) => ({
      ends: status === 'canceled' ? null : endOf(cancel_at),
      hasEnded: status === 'canceled',
      duplicate: surplus === 'found' || surplus === 'refunded' ? surplus : null,
      isClosed: closed === 'yes',
      isPaid: payments.some(({ subscription, refunded }) => subscription === id && !refunded),
    })),
    sessions: sessions.list().map(({ status }) => status as World['sessions'][number]['status']),
    userExists: world.exists(world.subscriber),
    // A tab can have created another for a moment.
    customerExists: customers.list()[0]?.deleted !== true,
  };
}
