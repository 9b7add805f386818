import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import type { Attempts } from './attempts.ts';
import { CognitoError } from './errors.ts';
import type { User } from './users.ts';

export type CodePurpose = 'sign-up' | 'email';

// "Quotas in Amazon Cognito": a code for an account or an attribute is valid for a day.
const VALIDITY = 24 * 60 * 60 * 1000;

interface Code {
  code: string;
  /** The email address that the code was sent to. */
  address: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Confirmation codes: the newest code for each user and purpose, valid for one use. */
export class Codes {
  readonly #attempts: Attempts;
  readonly #clock: Clock;
  readonly #codes: Collection<Code>;

  constructor({ attempts, clock, store }: { attempts: Attempts; clock: Clock; store: Store }) {
    this.#attempts = attempts;
    this.#clock = clock;
    this.#codes = store.collection('cognito/codes');
  }

  issue(user: User, purpose: CodePurpose, address: string): string {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = this.#clock.now().getTime() + VALIDITY;
    this.#codes.put(key(user, purpose), { code, address, expiresAt });
    return code;
  }

  /** Uses up the code and returns the address that it verifies, or throws the reason for refusing it. */
  redeem(user: User, purpose: CodePurpose, given: string): string {
    this.#attempts.count(`code:${purpose}`, `${user.poolId}/${user.username}`);
    const stored = this.#codes.get(key(user, purpose));
    if (!stored || this.#clock.now().getTime() >= stored.expiresAt) {
      throw new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
    }
    if (!timingSafeEqual(digest(stored.code), digest(given))) throw codeMismatch();
    this.#codes.delete(key(user, purpose));
    this.#attempts.forget(`code:${purpose}`, `${user.poolId}/${user.username}`);
    return stored.address;
  }

  forgetAll(user: User): void {
    for (const purpose of ['sign-up', 'email'] as const) this.#codes.delete(key(user, purpose));
  }
}

export const codeMismatch = (): CognitoError =>
  new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.');

const key = (user: User, purpose: CodePurpose): string => `${user.poolId}/${user.username}/${purpose}`;
const digest = (code: string): Buffer => createHash('sha256').update(code).digest();
