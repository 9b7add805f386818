/** The product broke an invariant. */
export class Violation extends Error {}

/** Collects the violations of a step, so that a failure reports all of them. */
export class Violations {
  #messages: string[] = [];

  add(message: string): void {
    this.#messages.push(message);
  }

  throwIfAny(): void {
    if (this.#messages.length === 0) return;
    const message = [...new Set(this.#messages)].join(' ');
    this.#messages = [];
    throw new Violation(message);
  }
}
