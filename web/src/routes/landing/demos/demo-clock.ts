// Specification, section 9: the quickest thing that any demo shows is typing, a character per 50 ms.
const TICK = 50;

/** What a demo shows, as a function of time alone. */
export interface Script<State> {
  /** Length of one round in milliseconds. What is shown at its end is what a page without script shows. */
  readonly duration: number;
  /** The state at a moment of the round, from 0 up to and with `duration`. */
  at(milliseconds: number): State;
}

/**
 * `looping`, round after round; `once`, to the end of one round; `asked`, too, but because somebody pressed for it, so
 * that no pause concerns it; `held`, not at all.
 */
type Course = 'looping' | 'once' | 'asked' | 'held';

/** How far one demo has come. It begins at its end, which is what the server wrote. */
export class Timeline {
  readonly duration: number;
  #elapsed: number;
  #course: Course;
  readonly #listeners = new Set<() => void>();

  constructor(duration: number, course: 'looping' | 'once' = 'looping') {
    this.duration = duration;
    this.#elapsed = duration;
    this.#course = course;
  }

  /** Milliseconds into the round. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Whether time moves it, where the clock is paused or not. */
  moves(paused: boolean): boolean {
    if (this.#course === 'held') return false;
    if (this.#course === 'looping') return !paused;
    return this.#elapsed < this.duration && (this.#course === 'asked' || !paused);
  }

  seek(milliseconds: number): void {
    this.#elapsed = milliseconds;
    for (const listener of this.#listeners) listener();
  }

  /** Plays the rest of the round because somebody asked for it, and stays at its end. */
  playFrom(milliseconds: number): void {
    this.#course = 'asked';
    this.seek(milliseconds);
  }

  /** Leaves it at a moment: from here on a person decides what is shown. */
  hold(milliseconds = this.#elapsed): void {
    this.#course = 'held';
    this.seek(milliseconds);
  }

  advance(milliseconds: number): void {
    const begun = this.#course === 'looping' && this.#elapsed >= this.duration ? 0 : this.#elapsed;
    // What goes by beyond the end while a page sleeps is no reason to begin the next round in its middle.
    this.seek(Math.min(this.duration, begun + milliseconds));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** The one clock of all demos on a page. It ticks only while a timeline runs on it. */
export class DemoClock {
  readonly #running = new Set<Timeline>();
  readonly #listeners = new Set<() => void>();
  #paused = false;
  #interval: ReturnType<typeof setInterval> | undefined;
  #ticked = 0;

  /** Whether somebody has stopped all demos, or would rather not see things move. */
  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#setPaused(true);
  }

  resume(): void {
    this.#setPaused(false);
  }

  /** Lets time pass for a timeline, for as long as its demo is in sight. */
  run(timeline: Timeline): void {
    this.#running.add(timeline);
    this.#follow();
  }

  stop(timeline: Timeline): void {
    this.#running.delete(timeline);
    this.#follow();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts ticking where there is something to move, and stops where there is nothing. */
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
    for (const listener of this.#listeners) listener();
  }
}
