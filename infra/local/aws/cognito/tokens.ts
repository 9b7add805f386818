import { createHash, randomUUID } from 'node:crypto';
import { errors } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { type CognitoError, notAuthorized, userDoesNotExist } from './errors.ts';
import { readJwt, signJwt, verifyJwt } from './jwt.ts';
import type { Pools, UserPool, UserPoolClient } from './pools.ts';
import { readableAttributes } from './readable-attributes.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Metadata, Triggers } from './triggers.ts';
import { groupsOf, subOf, type User, type Users } from './users.ts';

/** The scope for operations on the user's own account. */
const SELF_SERVICE = 'aws.cognito.signin.user.admin';

export interface IssuedTokens {
  accessToken: string;
  /** The ID token. Not sent to the client if a hosted sign-in lacks the scope `openid`. */
  idToken: string;
  /** Absent if the presented token stays valid. */
  refreshToken: string | undefined;
  /** Seconds that the access token is valid. */
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

  /** Issues the first tokens of a sign-in by the API. */
  async signIn(client: UserPoolClient, user: User, metadata?: Metadata): Promise<IssuedTokens> {
    const claims = await this.#triggers.preTokenGeneration('TokenGeneration_Authentication', {
      client,
      user,
      metadata,
    });
    const { session, refreshToken } = this.#sessions.start(client, user);
    return { ...(await this.#sign(client, user, session, claims)), refreshToken };
  }

  /** Issues tokens for an authorization code. */
  async redeem(
    client: UserPoolClient,
    user: User,
    grant: { authTime: number; scopes: string[]; nonce: string | undefined },
  ): Promise<IssuedTokens> {
    const claims = await this.#triggers.preTokenGeneration('TokenGeneration_HostedAuth', {
      client,
      user,
      metadata: undefined,
    });
    const { session, refreshToken } = this.#sessions.start(client, user, grant);
    return { ...(await this.#sign(client, user, session, claims, grant.nonce)), refreshToken };
  }

  async refresh(client: UserPoolClient, token: string, metadata?: Metadata): Promise<IssuedTokens> {
    const session = this.#sessions.present(client, token);
    const user = this.#users.get(client.pool, session.username);
    if (!user) throw userDoesNotExist();
    const claims = await this.#triggers.preTokenGeneration('TokenGeneration_RefreshTokens', {
      client,
      user,
      metadata,
    });
    const refreshToken = this.#sessions.replace(client, token);
    return { ...(await this.#sign(client, user, session, claims)), refreshToken };
  }

  /** User and session of an access token. Refuses one that is forged, expired, revoked or without `scope`. */
  async bearer(
    token: string,
    scope: typeof SELF_SERVICE | 'openid' = SELF_SERVICE,
  ): Promise<{ pool: UserPool; user: User; session: Session }> {
    const claims = AccessClaims.safeParse(readJwt(token)).data;
    const pool = claims && this.#pools.byIssuer(claims.iss);
    if (!pool) throw refused('Invalid Access Token');
    await verifyJwt(pool, token, this.#clock.now()).catch((error: unknown) => {
      throw refused(error instanceof errors.JWTExpired ? 'Access Token has expired' : 'Invalid Access Token');
    });
    if (!claims.scope.split(' ').includes(scope)) throw refused('Access Token does not have required scopes');
    const user = this.#users.get(pool, claims.username);
    if (!user) throw userDoesNotExist();
    const session = this.#sessions.get(claims.origin_jti);
    if (!session || session.revoked) throw refused('Access Token has been revoked');
    return { pool, user, session };
  }

  async #sign(
    client: UserPoolClient,
    user: User,
    session: Session,
    claims: Readonly<Record<string, string>>,
    nonce?: string,
  ): Promise<Omit<IssuedTokens, 'refreshToken'>> {
    const { pool, validity } = client;
    const iat = Math.floor(this.#clock.now().getTime() / 1000);
    const groups = groupsOf(user);
    const common = {
      sub: subOf(user),
      ...(groups.length > 0 && { 'cognito:groups': groups }),
      iss: pool.issuer,
      origin_jti: session.id,
      event_id: session.eventId,
      auth_time: session.authTime,
      iat,
    };
    const accessToken = await signJwt(pool, {
      ...common,
      ...(session.scopes && { version: 2 }),
      client_id: client.id,
      token_use: 'access',
      scope: session.scopes?.join(' ') ?? SELF_SERVICE,
      exp: iat + validity.access,
      jti: randomUUID(),
      username: user.username,
    });
    return {
      accessToken,
      idToken: await signJwt(pool, {
        ...idAttributes(client, user, session.scopes),
        ...claims,
        ...common,
        ...(session.scopes && { at_hash: halfHash(accessToken) }),
        ...(nonce !== undefined && { nonce }),
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

/** The attributes that the client may read. Booleans and lists are converted from strings. */
function idAttributes(
  client: UserPoolClient,
  user: User,
  scopes: string[] | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readableAttributes(client, user, scopes)).map(([name, value]) => {
      if (name.endsWith('_verified')) return [name, value === 'true'];
      return [name, name === 'identities' ? identityClaims(user) : value];
    }),
  );
}

/** In the claim all values are strings. In the attribute, `primary` and `dateCreated` are not. */
const identityClaims = ({ identities }: User) =>
  identities.map((identity) => ({
    ...identity,
    primary: String(identity.primary),
    dateCreated: String(identity.dateCreated),
  }));

/** `at_hash` of OpenID Connect Core, 3.1.3.6. */
const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

const refused = (message: string): CognitoError => notAuthorized(message);
