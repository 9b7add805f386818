/**
 * Stripe's global limit of requests: a hundred a second in live mode, twenty-five in a sandbox
 * (https://docs.stripe.com/rate-limits). The lower limits of single endpoints are not imitated.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  /** When the requests of the last second were accepted, in milliseconds. */
  #accepted: number[] = [];

  /** `now`: milliseconds of a clock that nobody moves. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request. False if it is one too many for this second. */
  accepts(): boolean {
    const now = this.#now();
    this.#accepted = this.#accepted.filter((moment) => moment > now - 1000);
    if (this.#accepted.length >= this.#perSecond) return false;
    this.#accepted.push(now);
    return true;
  }
}
