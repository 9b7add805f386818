import type { Stripe } from 'stripe';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { noteFault } from './actions/note-fault.ts';
import { durationOf, passInSilence, passTime, passTimeAtStripe } from './actions/pass-time.ts';
import { performAction } from './actions/perform-action.ts';
import { deliverEvents } from './actions/webhooks.ts';
import { Actor } from './faults/actor.ts';
import type { Fault, Outcome } from './faults/fault.ts';
import { interleave } from './faults/interleave.ts';
import type { InstantAction } from './history/action.ts';
import type { History, Step } from './history/history.ts';
import { beginStep, checkInvariants, checkSettledAccount } from './model/invariants.ts';
import { runningSubscriptions, type Subscriber } from './model/subscriber.ts';
import { AFTER_DELETION, MAIL_LIMIT, SETTLEMENT } from './world/limits.ts';
import { recordEvent } from './world/record-event.ts';
import { World, type WorldOptions } from './world/world.ts';

const STACK = Error.stackTraceLimit;

// The product's log lines. A mock would keep each of them.
console.info = console.error = () => {};

/**
 * Performs the actions of a history against the product and compares the product with the model after each
 * step.
 */
export class Simulation {
  readonly #world: World;

  constructor(options: WorldOptions) {
    // Stripe's client reads the stack of each call, which is slow. A run with a log has stacks.
    if (!options.log) Error.stackTraceLimit = 0;
    this.#world = new World(options, (event) => recordEvent(this.#world, event));
  }

  /** The subscriber's row. */
  get row(): UserPlan | undefined {
    return this.#world.rowOf(this.#world.subscriber);
  }

  get model(): Subscriber {
    return this.#world.subscriber.model;
  }

  get runningSubscriptions(): ReturnType<typeof runningSubscriptions> {
    return runningSubscriptions(this.model, this.#world.seconds);
  }

  /** Whether the subscriber's account exists. */
  get accountExists(): boolean {
    return this.#world.exists(this.#world.subscriber);
  }

  /** The index of the first undelivered event of this type. */
  undeliveredIndexOf(type: Stripe.Event.Type): number {
    const index = this.#world.undelivered.findIndex(({ event }) => event.type === type);
    if (index === -1) throw new Error(`No undelivered ${type} exists.`);
    return index;
  }

  /** Performs a step, delivers the events that the step caused, and checks the invariants. */
  async step({ action, fault, concurrent, turns, delivery }: Step): Promise<void> {
    const world = this.#world;
    beginStep(world);
    const undeliveredBefore = world.undelivered.length;
    const actor = new Actor(fault);
    const isSilent = action.type === 'time passes in silence';
    const isPassing =
      isSilent || action.type === 'time passes' || action.type === 'time passes to the renewal';
    if (isSilent) {
      world.wasSilent = true;
      await passInSilence(world, action.days);
    } else if (isPassing) {
      await passTime(world, durationOf(world, action), fault);
    } else if (concurrent) {
      const other = new Actor(concurrent.fault);
      await interleave(
        [
          { actor, work: () => performAction(world, action, actor, true) },
          { actor: other, work: () => performAction(world, concurrent.action, other, true) },
        ],
        turns,
      );
      noteFault(world, other);
    } else {
      await performAction(world, action, actor, false);
    }
    noteFault(world, actor);
    // An action that makes no call leaves its fault to the webhook.
    const remainingFault = actor.calls.length === 0 && !isPassing ? fault : undefined;
    await deliverEvents(world, world.undelivered.splice(undeliveredBefore), delivery, remainingFault);
    checkInvariants(world);
  }

  /** Performs an action and keeps the events that the action caused undelivered. */
  async perform(
    action: InstantAction,
    fault?: Fault,
  ): Promise<{ outcome: Outcome<number | undefined>; actor: Actor }> {
    beginStep(this.#world);
    const actor = new Actor(fault);
    const outcome = await performAction(this.#world, action, actor, false);
    noteFault(this.#world, actor);
    checkInvariants(this.#world);
    return { outcome, actor };
  }

  /** Loses the undelivered events, runs the schedules once and compares every account with the model. */
  async settle(): Promise<void> {
    const world = this.#world;
    beginStep(world);
    world.endRefusal();
    for (const id of world.customerOwners.keys()) world.stripe.setFinalizing(id, true);
    // A payment that fails late is tried again, and is processing once more.
    while (world.stripe.isProcessing) {
      passTimeAtStripe(world, SETTLEMENT);
      world.unseenFor += SETTLEMENT;
    }
    world.undelivered = [];
    for (const action of schedules) {
      const { outcome } = await this.perform(action);
      if (outcome.kind !== 'answered') world.violations.add(`The final "${action.type}" failed.`);
    }
    // A task can leave another: a missing user is looked for twice.
    for (let round = 0; round < 3 && world.tasks.items.size > 0; round += 1) {
      // Mails wait for another process's turn, and for the limit of mails that a user can cause.
      passTimeAtStripe(world, MAIL_LIMIT);
      await this.perform({ type: 'run the event catch-up' });
      world.undelivered = [];
      world.tasks.hasten(world.now);
      await this.perform({ type: 'run the billing tasks' });
    }
    checkInvariants(world);
    for (const account of world.accounts) checkSettledAccount(world, account);
    // Charges to a deleted account would appear at its next renewals.
    if (world.accounts.some((account) => !world.exists(account))) passTimeAtStripe(world, AFTER_DELETION);
    world.violations.throwIfAny();
  }

  /** Returns the process to the machine's time and its stacks. */
  end(): void {
    Error.stackTraceLimit = STACK;
    this.#world.clock.release();
  }
}

const schedules = [
  { type: 'run the event catch-up' },
  { type: 'run the expiry sweep' },
  { type: 'run the billing tasks' },
] as const;

/** Runs a history to its end. Throws a `Violation` at the first step that breaks an invariant. */
export async function runHistory(
  { start, offer, hourly, steps }: History,
  { build, log }: Pick<WorldOptions, 'build' | 'log'> = {},
): Promise<void> {
  const simulation = new Simulation({ start, offer, hourly, build, log });
  try {
    for (const step of steps) await simulation.step(step);
    await simulation.settle();
  } finally {
    simulation.end();
  }
}
