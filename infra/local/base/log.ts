/** A line that a function has written. */
export interface LogLine {
  /** ISO 8601, in the local world's time. */
  at: string;
  function: string;
  text: string;
}

// Enough to scroll back through; the terminal keeps the rest.
const MOST_LINES = 500;

/** The newest lines of all functions. */
export class Log {
  readonly #lines: LogLine[] = [];

  add(line: LogLine): void {
    this.#lines.unshift(line);
    this.#lines.length = Math.min(this.#lines.length, MOST_LINES);
  }

  /** Newest first. */
  list(): readonly LogLine[] {
    return this.#lines;
  }
}
