import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Collection, Store } from '../../../base/store.ts';
import { hashOf } from '../hash.ts';
import type { User } from '../users.ts';

/** A sign-in by an identity provider in one browser. */
export interface HostedSession {
  poolId: string;
  username: string;
  providerName: string;
  /** Epoch seconds of the sign-in at the provider. */
  authTime: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

// "Managed login session duration": an hour, not configurable.
const HOUR = 60 * 60 * 1000;

/** Sessions by the browser's cookie `cognito`. A second sign-in within the hour skips the provider. */
export class HostedSessions {
  readonly #clock: Clock;
  readonly #sessions: Collection<HostedSession & { hash: string }>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#sessions = store.collection('cognito/hosted-sessions');
  }

  /** Returns the session and the cookie's value. */
  start(user: User, providerName: string): { cookie: string; session: HostedSession } {
    const now = this.#clock.now().getTime();
    for (const old of this.#sessions.list()) if (old.expiresAt <= now) this.#sessions.delete(old.hash);
    const cookie = randomBytes(32).toString('base64url');
    const session: HostedSession = {
      poolId: user.poolId,
      username: user.username,
      providerName,
      authTime: Math.floor(now / 1000),
      expiresAt: now + HOUR,
    };
    this.#sessions.put(hashOf(cookie), { ...session, hash: hashOf(cookie) });
    return { cookie, session };
  }

  get(cookie: string): HostedSession | undefined {
    const session = this.#sessions.get(hashOf(cookie));
    return session && this.#clock.now().getTime() < session.expiresAt ? session : undefined;
  }

  end(cookie: string): void {
    this.#sessions.delete(hashOf(cookie));
  }
}
