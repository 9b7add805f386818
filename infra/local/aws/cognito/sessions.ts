import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import { CognitoError, notAuthorized } from './errors.ts';
import { hashOf } from './hash.ts';
import type { UserPoolClient } from './pools.ts';
import type { User } from './users.ts';

/** One sign-in, with all tokens that come from it. */
export interface Session {
  /** The `origin_jti` claim. */
  id: string;
  poolId: string;
  clientId: string;
  username: string;
  eventId: string;
  /** Epoch seconds of the authentication. Refreshing doesn't change it. */
  authTime: number;
  /** Epoch milliseconds at which all refresh tokens of the session expire, replaced or not. */
  expiresAt: number;
  revoked: boolean;
  /** The granted scopes. Absent for a sign-in by the API. */
  scopes?: string[];
}

interface RefreshToken {
  /** Hash of the token. The token itself is not stored. */
  hash: string;
  sessionId: string;
  /** Epoch milliseconds. Absent for the newest token. */
  replacedAt?: number;
}

/** All users' sessions. Refresh tokens are stored as hashes, so a copy of the store can't sign in. */
export class Sessions {
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #sessions: Collection<Session>;
  readonly #refreshTokens: Collection<RefreshToken>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#store = store;
    this.#sessions = store.collection('cognito/sessions');
    this.#refreshTokens = store.collection('cognito/refresh-tokens');
  }

  /** `hosted`: for a hosted sign-in, whose authentication may be older. `authTime` in epoch seconds. */
  start(
    client: UserPoolClient,
    user: User,
    hosted?: { authTime: number; scopes: string[] },
  ): { session: Session; refreshToken: string } {
    const now = this.#clock.now().getTime();
    const session: Session = {
      id: randomUUID(),
      poolId: client.pool.id,
      clientId: client.id,
      username: user.username,
      eventId: randomUUID(),
      authTime: hosted?.authTime ?? Math.floor(now / 1000),
      expiresAt: now + client.validity.refresh * 1000,
      revoked: false,
      ...(hosted && { scopes: hosted.scopes }),
    };
    return this.#store.transaction(() => {
      this.#prune(now);
      this.#sessions.put(session.id, session);
      return { session, refreshToken: this.#mint(session) };
    });
  }

  /** The session of a refresh token. Refuses a token that was replaced before the client's grace period. */
  present(client: UserPoolClient, token: string): Session {
    const stored = this.#refreshTokens.get(hashOf(token));
    const session = stored && this.#sessions.get(stored.sessionId);
    if (!session || session.clientId !== client.id) throw notAuthorized('Invalid Refresh Token.');
    const now = this.#clock.now().getTime();
    if (session.revoked) throw notAuthorized('Refresh Token has been revoked');
    if (now >= session.expiresAt) throw notAuthorized('Refresh Token has expired');
    const grace = (client.rotationGrace ?? Infinity) * 1000;
    if (stored.replacedAt !== undefined && now >= stored.replacedAt + grace) {
      throw new CognitoError('RefreshTokenReuseException', 'Refresh token has been invalidated by rotation.');
    }
    return session;
  }

  /** Replaces a refresh token and returns the new one. Undefined if the client doesn't rotate. */
  replace(client: UserPoolClient, token: string): string | undefined {
    const session = this.present(client, token);
    if (client.rotationGrace === undefined) return undefined;
    return this.#store.transaction(() => {
      const now = this.#clock.now().getTime();
      // A second use within the grace period doesn't extend it.
      const replacedAt = this.#refreshTokens.get(hashOf(token))?.replacedAt ?? now;
      this.#refreshTokens.put(hashOf(token), { hash: hashOf(token), sessionId: session.id, replacedAt });
      return this.#mint(session);
    });
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  byRefreshToken(token: string): Session | undefined {
    const stored = this.#refreshTokens.get(hashOf(token));
    return stored && this.#sessions.get(stored.sessionId);
  }

  revoke(session: Session): void {
    this.#sessions.put(session.id, { ...session, revoked: true });
  }

  revokeAll(user: User): void {
    for (const session of this.#of(user)) this.revoke(session);
  }

  /** Deletes the user's sessions. Their tokens become unknown. */
  forgetAll(user: User): void {
    for (const session of this.#of(user)) this.#sessions.delete(session.id);
  }

  #of(user: User): Session[] {
    return this.#sessions
      .list()
      .filter((session) => session.poolId === user.poolId && session.username === user.username);
  }

  #mint(session: Session): string {
    const token = randomBytes(64).toString('base64url');
    this.#refreshTokens.put(hashOf(token), { hash: hashOf(token), sessionId: session.id });
    return token;
  }

  /** Deletes expired sessions, and refresh tokens without a session. */
  #prune(now: number): void {
    const current = new Set<string>();
    for (const session of this.#sessions.list()) {
      if (session.expiresAt > now) current.add(session.id);
      else this.#sessions.delete(session.id);
    }
    for (const { hash, sessionId } of this.#refreshTokens.list()) {
      if (!current.has(sessionId)) this.#refreshTokens.delete(hash);
    }
  }
}
