import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import { notAuthorized } from './errors.ts';
import type { UserPoolClient } from './pools.ts';
import type { PasswordVerifier, SrpExchange } from './srp.ts';

export interface PasswordChallenge {
  /** The user's name, or a made-up name if there is no such user. */
  username: string;
  /** The key that a wrong answer is counted under. */
  guessedName: string;
  known: boolean;
  verifier: PasswordVerifier;
  exchange: SrpExchange;
}

export interface CustomChallenge {
  /** As the caller has typed it. */
  name: string;
  /** `privateChallengeParameters` of the trigger that made the challenge. */
  parameters: Record<string, string>;
  answered: ChallengeResult[];
}

export interface ChallengeResult {
  challengeName: 'CUSTOM_CHALLENGE';
  challengeResult: boolean;
  challengeMetadata: string | null;
}

type Open<C> = C & {
  key: string;
  clientId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
};

/** Sign-ins in progress: the server's secrets between a challenge and its answer. */
export class Challenges<C> {
  readonly #clock: Clock;
  readonly #challenges: Collection<Open<C>>;

  constructor({ clock, store }: { clock: Clock; store: Store }, name: string) {
    this.#clock = clock;
    this.#challenges = store.collection(`cognito/${name}`);
  }

  /** `id`: known to the caller alone. */
  open(client: UserPoolClient, id: string, challenge: C): void {
    const now = this.#clock.now().getTime();
    for (const stale of this.#challenges.list().filter(({ expiresAt }) => expiresAt <= now)) {
      this.#challenges.delete(stale.key);
    }
    const expiresAt = now + client.settings.AuthSessionValidity * 60_000;
    const key = keyOf(id);
    this.#challenges.put(key, { ...challenge, key, clientId: client.id, expiresAt });
  }

  /** Takes the challenge out of the store. Each challenge can be answered once, right or wrong. */
  take(client: UserPoolClient, id: string): C {
    const challenge = this.#challenges.get(keyOf(id));
    this.#challenges.delete(keyOf(id));
    if (!challenge || challenge.clientId !== client.id) throw notAuthorized('Invalid session for the user.');
    if (challenge.expiresAt <= this.#clock.now().getTime()) {
      throw notAuthorized('Invalid session for the user, session is expired.');
    }
    return challenge;
  }
}

const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
