import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import { CognitoError, notAuthorized } from './errors.ts';

const HOUR = 60 * 60 * 1000;
// "Recovering user accounts": between 5 and 20 an hour, depending on the risk that Cognito sees. This is the
// minimum.
const LIMIT_PER_HOUR = 5;

interface Failures {
  count: number;
  /** Epoch milliseconds. */
  last: number;
}

const SECOND = 1000;
const FREE_FAILURES = 5;
// "Approximately 15 minutes": the longest lock, and the time without failures that resets the counter.
const LONGEST_LOCK = 15 * 60 * SECOND;

/** Throttles guessing of codes and passwords. Unknown names count like known names. */
export class Attempts {
  readonly #clock: Clock;
  readonly #moments: Collection<number[]>;
  readonly #failures: Collection<Failures>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#moments = store.collection('cognito/attempts');
    this.#failures = store.collection('cognito/password-failures');
  }

  /** Counts one `action` by `name`, or refuses it if the hour's attempts are used up. */
  count(action: string, name: string): void {
    const now = this.#clock.now().getTime();
    const recent = (this.#moments.get(`${action}/${name}`) ?? []).filter((moment) => moment > now - HOUR);
    if (recent.length >= LIMIT_PER_HOUR) {
      throw new CognitoError('LimitExceededException', 'Attempt limit exceeded, please try after some time.');
    }
    this.#moments.put(`${action}/${name}`, [...recent, now]);
  }

  forget(action: string, name: string): void {
    this.#moments.delete(`${action}/${name}`);
  }

  /** Refuses while `name` is locked out: after n failures (n ≥ 5) for 2^(n-5) seconds. */
  checkLock(name: string): void {
    const failures = this.#failures.get(name);
    if (!failures || failures.count < FREE_FAILURES) return;
    const lock = Math.min(2 ** (failures.count - FREE_FAILURES) * SECOND, LONGEST_LOCK);
    if (this.#clock.now().getTime() < failures.last + lock) throw notAuthorized('Password attempts exceeded');
  }

  passwordFailed(name: string): void {
    const now = this.#clock.now().getTime();
    const earlier = this.#failures.get(name);
    const count = earlier && now < earlier.last + LONGEST_LOCK ? earlier.count : 0;
    this.#failures.put(name, { count: count + 1, last: now });
  }

  passwordAccepted(name: string): void {
    this.#failures.delete(name);
  }
}
