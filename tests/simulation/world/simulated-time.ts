import crypto from 'node:crypto';
import type { TimerOptions } from 'node:timers';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Clock } from '../../../infra/local/start-world.ts';
import { currentActor } from '../faults/actor.ts';

/** Epoch milliseconds. Undefined while no simulation runs. */
let moment: number | undefined;

/**
 * A clock that moves on request only. From its creation until `release` every `Date` of this thread uses it.
 */
export class SimulatedClock extends Clock {
  constructor(start: Date) {
    super();
    moment = start.getTime();
    random = 1;
  }

  override now(): Date {
    return new MachineDate(moment ?? Number.NaN);
  }

  /** No timers: the caller that moves the time also runs what has become due. */
  override reschedule(): void {}

  moveTo(epoch: number): void {
    moment = epoch;
  }

  /** Returns to the machine's time. */
  release(): void {
    moment = undefined;
  }
}

const MachineDate = Date;
const now = () => moment ?? MachineDate.now();
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length > 0 ? parameters : [now()], newTarget) as object,
  apply: () => new MachineDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});

// A pause in a simulated action waits for the action's turn instead of the machine's time.
const machinePause = timers.setTimeout;
timers.setTimeout = async <T>(delay?: number, value?: T, options?: TimerOptions): Promise<T> => {
  const turn = currentActor()?.awaitTurn();
  if (!turn) return machinePause(delay, value, options);
  await turn;
  // As Node's own: resolves with the given value.
  return value as T;
};

// The product keeps the lower id of two subscriptions from the same second, so ids must be equal in every
// replay.
const machineRandom = crypto.randomInt;
let random = 1;
crypto.randomInt = (...parameters: [number]) => {
  if (moment === undefined) return machineRandom(...parameters);
  // Marsaglia's 32-bit xorshift. Its period is far longer than a history.
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) % parameters[0];
};
syncBuiltinESMExports();
