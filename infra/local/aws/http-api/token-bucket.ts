/** Lets `burst` requests through at once and `rate` a second over time. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  readonly #clock: () => number;
  #tokens: number;
  #at: number;

  /** `clock`: milliseconds that only grow. The machine's, not the local world's: it is machines that are throttled. */
  constructor({ rate, burst }: { rate: number; burst: number }, clock = () => performance.now()) {
    this.#rate = rate;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#at = clock();
  }

  /** False where there is nothing left to take. */
  take(): boolean {
    const now = this.#clock();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
