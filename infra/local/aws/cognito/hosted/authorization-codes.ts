import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Collection, Store } from '../../../base/store.ts';
import { hashOf } from '../hash.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';

export interface CodeGrant extends Omit<AuthorizationRequest, 'state'> {
  poolId: string;
  username: string;
  /** Epoch seconds. */
  authTime: number;
}

interface StoredGrant extends CodeGrant {
  /** Epoch milliseconds. */
  expiresAt: number;
  hash: string;
}

// "The redirect and authorization endpoint": valid for five minutes.
const LIFETIME = 5 * 60 * 1000;

/** Authorization codes that have not been exchanged for tokens yet. */
export class AuthorizationCodes {
  readonly #clock: Clock;
  readonly #codes: Collection<StoredGrant>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#codes = store.collection('cognito/authorization-codes');
  }

  issue(grant: CodeGrant): string {
    const now = this.#clock.now().getTime();
    for (const old of this.#codes.list()) if (old.expiresAt <= now) this.#codes.delete(old.hash);
    const code = randomUUID();
    this.#codes.put(hashOf(code), { ...grant, expiresAt: now + LIFETIME, hash: hashOf(code) });
    return code;
  }

  /** Redeems a code. Each code can be tried once, right or wrong. A try by another client doesn't count. */
  take(code: string, clientId: string): CodeGrant | undefined {
    const stored = this.#codes.get(hashOf(code));
    if (!stored || stored.clientId !== clientId) return undefined;
    this.#codes.delete(stored.hash);
    return this.#clock.now().getTime() < stored.expiresAt ? stored : undefined;
  }
}
