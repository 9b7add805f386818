import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import { notAuthorized } from './errors.ts';
import type { UserPoolClient } from './pools.ts';
import type { PasswordVerifier, SrpExchange } from './srp.ts';

interface Challenge {
  clientId: string;
  /** The user's name, or a made-up name if there is no such user. */
  username: string;
  /** The key that a wrong answer is counted under. */
  guessedName: string;
  known: boolean;
  verifier: PasswordVerifier;
  exchange: SrpExchange;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Sign-ins in progress: the server's secrets between the challenge and its answer. */
export class Challenges {
  readonly #clock: Clock;
  readonly #challenges: Collection<Challenge>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#challenges = store.collection('cognito/challenges');
  }

  open(client: UserPoolClient, challenge: Omit<Challenge, 'clientId' | 'expiresAt'>): void {
    const now = this.#clock.now().getTime();
    for (const stale of this.#challenges.list().filter(({ expiresAt }) => expiresAt <= now)) {
      this.#challenges.delete(key(stale.exchange.secretBlock));
    }
    const expiresAt = now + client.settings.AuthSessionValidity * 60_000;
    this.#challenges.put(key(challenge.exchange.secretBlock), {
      ...challenge,
      clientId: client.id,
      expiresAt,
    });
  }

  /** Takes the challenge out of the store. Each challenge can be answered once, right or wrong. */
  take(client: UserPoolClient, secretBlock: string): Challenge {
    const challenge = this.#challenges.get(key(secretBlock));
    this.#challenges.delete(key(secretBlock));
    if (!challenge || challenge.clientId !== client.id) throw notAuthorized('Invalid session for the user.');
    if (challenge.expiresAt <= this.#clock.now().getTime()) {
      throw notAuthorized('Invalid session for the user, session is expired.');
    }
    return challenge;
  }
}

const key = (secretBlock: string): string => createHash('sha256').update(secretBlock).digest('hex');
