/** Something in the local world that happens by itself at a known moment. */
export interface Timed {
  /** When it next wants to run, in epoch milliseconds of the local world; undefined while nothing is due. */
  nextDue(): number | undefined;
  /** Does what is due at `now`. Afterwards `nextDue` lies later than `now`, or is undefined. */
  run(now: Date): Promise<void>;
  /**
   * What a jump over several due moments does: `each` runs at every one of them, `last` only at the last
   * one before the jump ends or anything `each` happens. Hourly sweeps are `last`: between two such
   * moments nothing changes that they read, and forty days would be a thousand of them.
   */
  jump: 'each' | 'last';
}

// setTimeout's longest delay; a later moment is looked at again when it has passed.
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The time of the local world: the machine's plus an offset that only ever grows. The offset stands in
 * shared memory, so that function workers see it move without being told.
 */
export class Clock {
  /** One Float64: milliseconds to add to the machine's time. */
  readonly shared: SharedArrayBuffer = new SharedArrayBuffer(8);
  readonly #offset = new Float64Array(this.shared);
  readonly #timed = new Set<Timed>();
  readonly #save: (offset: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** `offset` in milliseconds, as saved by an earlier run; `save` is told of every change. */
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

  /** To be called by whoever has changed its `nextDue` outside `run`. */
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
   * Moves the world forward by `milliseconds`, stopping at each moment something is due so that it happens at
   * its own time. Resolves when all of it has happened.
   */
  advance(milliseconds: number): Promise<Date> {
    return this.#enqueue(async () => {
      await this.#runUntil(this.now().getTime() + milliseconds);
      return this.now();
    });
  }

  /** Resolves when whatever is running has ended; nothing runs afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#queue.catch(() => {});
  }

  /** What is due first among those that `jump` so, if it is due by `limit`. */
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
        // One neighbour's failure must not stop time for the others.
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
