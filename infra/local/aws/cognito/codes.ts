import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import type { Attempts } from './attempts.ts';
import { CognitoError } from './errors.ts';
import type { User } from './users.ts';

// "Quotas in Amazon Cognito": a code for an account is valid for a day.
const VALIDITY = 24 * 60 * 60 * 1000;

interface Code {
  code: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Confirmation codes: the newest code for each user, valid for one use. */
export class Codes {
  readonly #attempts: Attempts;
  readonly #clock: Clock;
  readonly #codes: Collection<Code>;

  constructor({ attempts, clock, store }: { attempts: Attempts; clock: Clock; store: Store }) {
    this.#attempts = attempts;
    this.#clock = clock;
    this.#codes = store.collection('cognito/codes');
  }

  issue(user: User): string {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = this.#clock.now().getTime() + VALIDITY;
    this.#codes.put(key(user), { code, expiresAt });
    return code;
  }

  /** Uses up the code, or throws the reason for refusing it. */
  redeem(user: User, given: string): void {
    this.#attempts.count('code', key(user));
    const stored = this.#codes.get(key(user));
    if (!stored || this.#clock.now().getTime() >= stored.expiresAt) {
      throw new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
    }
    if (!timingSafeEqual(digest(stored.code), digest(given))) throw codeMismatch();
    this.#codes.delete(key(user));
    this.#attempts.forget('code', key(user));
  }

  forget(user: User): void {
    this.#codes.delete(key(user));
  }
}

export const codeMismatch = (): CognitoError =>
  new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.');

const key = ({ poolId, username }: User): string => `${poolId}/${username}`;
const digest = (code: string): Buffer => createHash('sha256').update(code).digest();
