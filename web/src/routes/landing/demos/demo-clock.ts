// Milliseconds. The fastest change in any demo is typing, a character per 50 ms.
const TICK = 50;

/** The state of a demo as a pure function of time. */
export interface Script<State> {
  /** Length of a round in milliseconds. A page without script shows the final state. */
  readonly duration: number;
  /** The state at a time between 0 and `duration`, inclusive. */
  at(milliseconds: number): State;
}

/**
 * The course of a demo. `looping` repeats the round; `once` plays to its end. `requested` also plays to the
 * end, even while the demos are paused, because the user pressed a button. `held` doesn't play.
 */
type Course = 'looping' | 'once' | 'requested' | 'held';

class Emitter {
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  protected emit(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The playback position of a demo. It starts at the end of the round, the state in the server's HTML. */
export class Timeline extends Emitter {
  readonly duration: number;
  #elapsed: number;
  #course: Course;

  constructor(duration: number, course: 'looping' | 'once' = 'looping') {
    super();
    this.duration = duration;
    this.#elapsed = duration;
    this.#course = course;
  }

  /** Milliseconds into the round. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Whether this timeline advances. */
  moves(paused: boolean): boolean {
    if (this.#course === 'held') return false;
    if (this.#course === 'looping') return !paused;
    return this.#elapsed < this.duration && (this.#course === 'requested' || !paused);
  }

  seek(milliseconds: number): void {
    this.#elapsed = milliseconds;
    this.emit();
  }

  /** Plays from a position to the end of the round, even while the demos are paused. */
  playFrom(milliseconds: number): void {
    this.#course = 'requested';
    this.seek(milliseconds);
  }

  /** Stops playing at a position, because the user now controls the demo. */
  hold(milliseconds = this.#elapsed): void {
    this.#course = 'held';
    this.seek(milliseconds);
  }

  advance(milliseconds: number): void {
    const begun = this.#course === 'looping' && this.#elapsed >= this.duration ? 0 : this.#elapsed;
    // After a long sleep of the page, stop at the end instead of jumping into the next round.
    this.seek(Math.min(this.duration, begun + milliseconds));
  }
}

/** The clock that all demos of a page share. It ticks only while a timeline plays. */
export class DemoClock extends Emitter {
  readonly #running = new Set<Timeline>();
  #paused = false;
  #interval: ReturnType<typeof setInterval> | undefined;
  #ticked = 0;

  /** Whether the user has paused all demos, or prefers reduced motion. */
  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#setPaused(true);
  }

  resume(): void {
    this.#setPaused(false);
  }

  /** Starts advancing a timeline. Called while its demo is in view. */
  run(timeline: Timeline): void {
    this.#running.add(timeline);
    this.#follow();
  }

  stop(timeline: Timeline): void {
    this.#running.delete(timeline);
    this.#follow();
  }

  /** Ticks only while a timeline needs it. */
  #follow(): void {
    const needed = [...this.#running].some((timeline) => timeline.moves(this.#paused));
    if (needed && this.#interval === undefined) {
      this.#ticked = performance.now();
      this.#interval = setInterval(() => this.#tick(), TICK);
    } else if (!needed) {
      clearInterval(this.#interval);
      this.#interval = undefined;
    }
  }

  #tick(): void {
    const now = performance.now();
    const passed = now - this.#ticked;
    this.#ticked = now;
    for (const timeline of this.#running) if (timeline.moves(this.#paused)) timeline.advance(passed);
    this.#follow();
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#follow();
    this.emit();
  }
}
