import type { ExecutionEnvironment } from './execution-environment.ts';

// An environment takes 15 to 30 MB. Thirty-two are enough for everything that a browser session and a jump
// of the clock call: infra/local/README.md, Why it is so
const MOST = 32;
// Milliseconds. Lambda doesn't say how long it keeps an idle environment; minutes have been observed.
const IDLE = 600_000;

interface Idle {
  since: number;
  end: () => void;
}

/**
 * The limit on the execution environments of all functions together, like an account's concurrency in Lambda.
 * Idle environments are ended if another function needs the room, and after ten minutes.
 */
export class EnvironmentLimit {
  readonly #most: number;
  readonly #idleTime: number;
  readonly #all = new Set<ExecutionEnvironment>();
  /** Idle environments, longest idle first. */
  readonly #idle = new Map<ExecutionEnvironment, Idle>();
  #timer: NodeJS.Timeout | undefined;

  /** `idleTime`: milliseconds of the machine's time, since the memory is the machine's. */
  constructor({ most = MOST, idleTime = IDLE } = {}) {
    this.#most = most;
    this.#idleTime = idleTime;
  }

  /** The number of environments, busy and idle. */
  get size(): number {
    return this.#all.size;
  }

  /** Whether another environment may start. Ends those that have been idle longest, if necessary. */
  makeRoom(): boolean {
    if (this.#all.size - this.#idle.size >= this.#most) return false;
    for (const { end } of this.#idle.values()) {
      if (this.#all.size < this.#most) break;
      end();
    }
    return true;
  }

  started(environment: ExecutionEnvironment): void {
    this.#all.add(environment);
  }

  ended(environment: ExecutionEnvironment): void {
    this.#all.delete(environment);
    this.#idle.delete(environment);
  }

  busy(environment: ExecutionEnvironment): void {
    this.#idle.delete(environment);
  }

  /** Registers an idle environment. `end` ends the environment, and reports it to `ended`. */
  idle(environment: ExecutionEnvironment, end: () => void): void {
    this.#idle.set(environment, { since: performance.now(), end });
    if (!this.#timer) this.#endLongIdleIn(this.#idleTime);
  }

  #endLongIdleIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      for (const { since, end } of this.#idle.values()) {
        const left = since + this.#idleTime - performance.now();
        if (left > 0) return this.#endLongIdleIn(left);
        end();
      }
    }, milliseconds).unref();
  }
}
