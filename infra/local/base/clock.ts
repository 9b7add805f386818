import { after } from './duration.ts';

/** Work that the local world does on its own at a known moment. */
export interface Timed {
  /** The next moment to run, in epoch milliseconds of the local world. Undefined while nothing is due. */
  nextDue(): number | undefined;
  /** Does the work that is due at `now`. Afterwards `nextDue` is later than `now`, or undefined. */
  run(now: Date): Promise<void>;
  /**
   * How often the work runs when the clock jumps over several due moments. `each`: at every moment. `last`:
   * only at the last moment before the jump ends or before work of kind `each` runs. Hourly schedules are
   * `last`: the data they read doesn't change in between, and forty days have a thousand such moments.
   */
  jump: 'each' | 'last';
}

// setTimeout's longest delay. A later moment sets the timer again.
const LONGEST_TIMER = 2 ** 31 - 1;

/** The world's time: the machine's plus an offset that only grows, in memory that worker threads share. */
export class Clock {
  /** Two Float64: milliseconds to add to the machine's time, and 1 while the clock jumps, else 0. */
  readonly shared: SharedArrayBuffer = new SharedArrayBuffer(16);
  readonly #offset = new Float64Array(this.shared, 0, 1);
  readonly #jumping = new Float64Array(this.shared, 8, 1);
  readonly #timed = new Set<Timed>();
  readonly #save: (offset: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** `offset`: milliseconds, saved by an earlier run. `save` is called with every new offset. */
  constructor(offset = 0, save: (offset: number) => void = () => {}) {
    this.#offset[0] = offset;
    this.#save = save;
  }

  now(): Date {
    return new Date(Date.now() + (this.#offset[0] ?? 0));
  }

  register(timed: Timed): void {
    this.#timed.add(timed);
    this.reschedule();
  }

  unregister(timed: Timed): void {
    this.#timed.delete(timed);
    this.reschedule();
  }

  /** Must be called after `nextDue` of registered work has changed outside of `run`. */
  reschedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const due = Math.min(...[...this.#timed].map((timed) => timed.nextDue() ?? Infinity));
    if (due === Infinity) return;
    const wait = Math.max(0, due - this.now().getTime());
    this.#timer = setTimeout(
      () => void this.#enqueue(() => this.#runUntil(this.now().getTime())),
      Math.min(wait, LONGEST_TIMER),
    );
    this.#timer.unref();
  }

  /**
   * Moves the world by milliseconds, or by an ISO 8601 duration like `P40D`. Stops at every due moment, so
   * that work runs at its own time. Resolves when all of it is done. Functions' pauses end at once.
   */
  advance(by: number | string): Promise<Date> {
    return this.#enqueue(async () => {
      const end = typeof by === 'number' ? this.now().getTime() + by : after(this.now(), by)?.getTime();
      if (end === undefined) throw new RangeError(`${by} is not an ISO 8601 duration of at most a century.`);
      this.#jumping[0] = 1;
      try {
        await this.#runUntil(end);
      } finally {
        this.#jumping[0] = 0;
      }
      return this.now();
    });
  }

  /** Resolves when running work has ended. Nothing runs afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#queue.catch(() => {});
  }

  /** The earliest work of this kind that is due by `limit`. */
  #earliest(jump: Timed['jump'], limit: number): { timed: Timed; due: number } | undefined {
    let earliest: { timed: Timed; due: number } | undefined;
    for (const timed of this.#timed) {
      const due = timed.jump === jump ? timed.nextDue() : undefined;
      if (due !== undefined && due <= limit && (!earliest || due < earliest.due)) earliest = { timed, due };
    }
    return earliest;
  }

  async #runUntil(target: number): Promise<void> {
    for (;;) {
      const each = this.#earliest('each', target);
      const limit = each?.due ?? target;
      const last = this.#earliest('last', limit);
      const timed = last?.timed ?? each?.timed;
      if (!timed) break;
      this.#moveTo(limit);
      try {
        await timed.run(this.now());
      } catch (error) {
        // A failure must not stop the clock for other work.
        console.error(error);
      }
      const next = timed.nextDue();
      if (next !== undefined && next <= limit) {
        throw new Error('Something in the local world is due again at the very moment it has just run.');
      }
    }
    this.#moveTo(target);
    this.reschedule();
  }

  #moveTo(moment: number): void {
    const ahead = moment - this.now().getTime();
    if (ahead <= 0) return;
    this.#offset[0] = (this.#offset[0] ?? 0) + ahead;
    this.#save(this.#offset[0]);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
