/** Mulberry32, a generator of 32 bits: the same seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  weighted<T>(list: readonly (readonly [number, T])[]): T {
    const sum = list.reduce((total, [weight]) => total + weight, 0);
    let left = this.below(sum);
    for (const [weight, item] of list) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new Error('All weights are 0.');
  }
}
