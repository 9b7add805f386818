import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { CognitoError, userDoesNotExist } from './errors.ts';
import { isSignedBy, readJwt, signJwt } from './jwt.ts';
import type { Pools, UserPool, UserPoolClient } from './pools.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Triggers } from './triggers.ts';
import { visibleAttributes, type User, type Users } from './users.ts';

/** Lets its bearer call the operations that act on the user's own account. */
const SELF_SERVICE = 'aws.cognito.signin.user.admin';

export interface IssuedTokens {
  accessToken: string;
  idToken: string;
  /** Absent where the one that was presented stays good. */
  refreshToken: string | undefined;
  /** Seconds the access token is good for. */
  expiresIn: number;
}

const AccessClaims = z.object({
  iss: z.string(),
  token_use: z.literal('access'),
  scope: z.string(),
  exp: z.number(),
  origin_jti: z.string(),
  username: z.string(),
});

/** Makes tokens of sessions and reads them again; knows nothing of how somebody signed in. */
export class Tokens {
  readonly #clock: Clock;
  readonly #pools: Pools;
  readonly #sessions: Sessions;
  readonly #triggers: Triggers;
  readonly #users: Users;

  constructor(parts: { clock: Clock; pools: Pools; sessions: Sessions; triggers: Triggers; users: Users }) {
    this.#clock = parts.clock;
    this.#pools = parts.pools;
    this.#sessions = parts.sessions;
    this.#triggers = parts.triggers;
    this.#users = parts.users;
  }

  /** Of somebody who has just proved who they are. */
  async signIn(
    client: UserPoolClient,
    user: User,
    metadata: Record<string, string> | undefined,
  ): Promise<IssuedTokens> {
    const overrides = await this.#triggers.preTokenGeneration('TokenGeneration_Authentication', {
      client,
      user,
      metadata,
    });
    const { session, refreshToken } = this.#sessions.start(client, user);
    return { ...this.#sign(client, user, session, overrides), refreshToken };
  }

  async refresh(
    client: UserPoolClient,
    token: string,
    metadata: Record<string, string> | undefined,
  ): Promise<IssuedTokens> {
    const session = this.#sessions.present(client, token);
    const user = this.#users.get(client.pool, session.username);
    if (!user) throw userDoesNotExist();
    const overrides = await this.#triggers.preTokenGeneration('TokenGeneration_RefreshTokens', {
      client,
      user,
      metadata,
    });
    // Only now, so that a trigger that fails costs nobody a token.
    const refreshToken = this.#sessions.replace(client, token);
    return { ...this.#sign(client, user, session, overrides), refreshToken };
  }

  /** Whose access token it is; refused unless it is genuine, current and for the account's own calls. */
  bearer(token: string): { pool: UserPool; user: User; session: Session } {
    const claims = AccessClaims.safeParse(readJwt(token)).data;
    const pool = claims && this.#pools.byIssuer(claims.iss);
    if (!pool || !isSignedBy(pool, token)) throw refused('Invalid Access Token');
    if (claims.exp * 1000 <= this.#clock.now().getTime()) throw refused('Access Token has expired');
    if (!claims.scope.split(' ').includes(SELF_SERVICE)) {
      throw refused('Access Token does not have required scopes');
    }
    const user = this.#users.get(pool, claims.username);
    if (!user) throw userDoesNotExist();
    const session = this.#sessions.get(claims.origin_jti);
    if (!session || session.revoked) throw refused('Access Token has been revoked');
    return { pool, user, session };
  }

  #sign(
    client: UserPoolClient,
    user: User,
    session: Session,
    overrides: { added: Record<string, string>; suppressed: string[] },
  ): Omit<IssuedTokens, 'refreshToken'> {
    const { pool, validity } = client;
    const iat = Math.floor(this.#clock.now().getTime() / 1000);
    const common = {
      sub: user.username,
      iss: pool.issuer,
      origin_jti: session.id,
      event_id: session.eventId,
      auth_time: session.authTime,
      iat,
    };
    const attributes = idAttributes(client, user);
    for (const name of overrides.suppressed) delete attributes[name];
    return {
      accessToken: signJwt(pool, {
        ...common,
        client_id: client.id,
        token_use: 'access',
        scope: SELF_SERVICE,
        exp: iat + validity.access,
        jti: randomUUID(),
        username: user.username,
      }),
      idToken: signJwt(pool, {
        ...attributes,
        ...overrides.added,
        ...common,
        'cognito:username': user.username,
        aud: client.id,
        token_use: 'id',
        exp: iat + validity.id,
        jti: randomUUID(),
      }),
      expiresIn: validity.access,
    };
  }
}

/** The attributes the client may read, with truth values and lists as such. */
function idAttributes(client: UserPoolClient, user: User): Record<string, unknown> {
  const readable = client.settings.ReadAttributes;
  const shown = Object.entries(visibleAttributes(user)).filter(
    ([name]) => !readable || readable.includes(name) || name === 'identities',
  );
  return Object.fromEntries(
    shown.map(([name, value]) => {
      if (name.endsWith('_verified')) return [name, value === 'true'];
      return [name, name === 'identities' ? user.identities : value];
    }),
  );
}

const refused = (message: string): CognitoError => new CognitoError('NotAuthorizedException', message);
