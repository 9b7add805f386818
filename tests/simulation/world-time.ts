import crypto from 'node:crypto';
import type { TimerOptions } from 'node:timers';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Clock } from '../../infra/local/base/clock.ts';
import { pauseInTurn } from './turns.ts';

let moment: number | undefined;

/** A world's time: it stands still until it is moved, and while a world is held every `Date` of this thread tells it. */
export class HeldClock extends Clock {
  constructor(start: Date) {
    super();
    moment = start.getTime();
    random = 1;
  }

  override now(): Date {
    return new Date(moment ?? Number.NaN);
  }

  /** Nothing happens by itself: whoever moves the time does what has become due. */
  override reschedule(): void {}

  moveTo(epoch: number): void {
    moment = epoch;
  }

  /** The machine's time again. */
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

// Whoever pauses within a history waits for a turn, and nobody for the machine's time.
const machinePause = timers.setTimeout;
timers.setTimeout = async <T>(delay?: number, value?: T, options?: TimerOptions): Promise<T> => {
  const turn = pauseInTurn();
  if (!turn) return machinePause(delay, value, options);
  await turn;
  // As the machine's own: what it was given.
  return value as T;
};

// Of two subscriptions of one second the lower id is kept, so ids are the same ones whenever a history is told again.
const machineRandom = crypto.randomInt;
let random = 1;
crypto.randomInt = (...parameters: [number]) => {
  if (moment === undefined) return machineRandom(...parameters);
  // Marsaglia's xorshift, 32 bits: its period is far longer than a history.
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) % parameters[0];
};
syncBuiltinESMExports();
