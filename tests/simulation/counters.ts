/** Counts how often things happen, by group. */
export class Counters {
  readonly #groups = new Map<string, Map<string, number>>();

  count(group: string, name: string, times = 1): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts.set(name, (counts.get(name) ?? 0) + times));
  }

  of(group: string, name: string): number {
    return this.#groups.get(group)?.get(name) ?? 0;
  }

  /** Keeps the greatest value. */
  recordMaximum(group: string, name: string, value: number): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts.set(name, Math.max(counts.get(name) ?? 0, value)));
  }

  toString(): string {
    return [...this.#groups]
      .map(([group, counts]) => {
        const rows = [...counts].toSorted(([, a], [, b]) => b - a);
        return [
          group,
          ...rows.map(([name, times]) => `  ${name.padEnd(44)} ${String(times).padStart(9)}`),
        ].join('\n');
      })
      .join('\n');
  }
}
