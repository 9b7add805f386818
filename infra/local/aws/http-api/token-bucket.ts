/** A token bucket that allows `rate` requests a second and bursts of `burst`. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  readonly #clock: () => number;
  #tokens: number;
  #at: number;

  /** `clock`: the machine's monotonic time in milliseconds, because throttling limits real load. */
  constructor({ rate, burst }: { rate: number; burst: number }, clock = () => performance.now()) {
    this.#rate = rate;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#at = clock();
  }

  /** False if the bucket is empty. */
  take(): boolean {
    const now = this.#clock();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
