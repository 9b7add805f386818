/**
 * Stripe's global limit on requests: a hundred a second in live mode, twenty-five in a sandbox
 * (https://docs.stripe.com/rate-limits). The lower limits of single endpoints are not imitated.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  /** Times of the requests accepted in the last second, in milliseconds. */
  #accepted: number[] = [];

  /** `now`: milliseconds of a clock that is never moved. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request. False if it exceeds the limit of this second. */
  accepts(): boolean {
    const now = this.#now();
    this.#accepted = this.#accepted.filter((moment) => moment > now - 1000);
    if (this.#accepted.length >= this.#perSecond) return false;
    this.#accepted.push(now);
    return true;
  }
}
