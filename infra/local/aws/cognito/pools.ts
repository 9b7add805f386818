import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Collection, Store } from '../../base/store.ts';
import { CognitoError } from './errors.ts';
import { type IdentityProvider, knownProvider, oidcProvider } from './hosted/identity-provider.ts';
import type { KnownProvider } from '../../vendors/identity-providers/known-provider.ts';
import {
  knownProviderSettings,
  OidcProviderSettings,
  UserPoolClientSettings,
  UserPoolDomainSettings,
  UserPoolSettings,
} from './settings.ts';
import { checkWritable } from './writable-attributes.ts';

/** Secrets of a pool. They are created once and stored. */
interface PoolKeys {
  kid: string;
  /** PKCS #8, PEM. */
  privateKey: string;
  /** SPKI, PEM. */
  publicKey: string;
  /** Base64. Seeds the made-up responses for unknown users, so that they stay the same. */
  decoySecret: string;
}

export interface UserPool {
  id: string;
  region: string;
  /** The id without its region. SRP includes it in every hash. */
  name: string;
  issuer: string;
  settings: UserPoolSettings;
  keys: PoolKeys;
}

export interface UserPoolClient {
  id: string;
  pool: UserPool;
  settings: UserPoolClientSettings;
  /** Seconds that a replaced refresh token stays valid. Undefined without rotation. */
  rotationGrace: number | undefined;
  /** Seconds. */
  validity: { access: number; id: number; refresh: number };
}

const secondsIn = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

/** The template's pools, clients, domains and identity providers. Only the pools' keys are stored. */
export class Pools {
  readonly #origin: string;
  readonly #keys: Collection<PoolKeys>;
  readonly #pools = new Map<string, UserPool>();
  readonly #clients = new Map<string, UserPoolClient>();
  /** Ids of the pools that have a domain. */
  readonly #domains = new Set<string>();
  /** Providers by the pool's id and the provider's name. */
  readonly #providers = new Map<string, Map<string, IdentityProvider>>();
  readonly #known: Readonly<Record<string, KnownProvider>>;

  constructor({
    knownProviders,
    origin,
    store,
  }: {
    knownProviders: Readonly<Record<string, KnownProvider>>;
    origin: string;
    store: Store;
  }) {
    this.#known = knownProviders;
    this.#origin = origin;
    this.#keys = store.collection('cognito/keys');
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPool. Throws if a property isn't supported. */
  putUserPool(id: string, properties: Record<string, unknown>): void {
    const [region, name] = id.split('_');
    if (!region || !name)
      throw new Error(`"${id}" is no user pool id: it lacks the region, an underscore or a name.`);
    const settings = parse(UserPoolSettings, properties, `user pool ${id}`);
    const pool: UserPool = {
      id,
      region,
      name,
      issuer: `${this.#origin}/${id}`,
      settings,
      keys: this.#keysOf(id),
    };
    this.#pools.set(id, pool);
    for (const client of this.#clients.values()) {
      if (client.pool.id === id) this.#clients.set(client.id, { ...client, pool });
    }
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPoolClient. Put its pool first. */
  putUserPoolClient(poolId: string, id: string, properties: Record<string, unknown>): void {
    const settings = parse(UserPoolClientSettings, properties, `user pool client ${id}`);
    const { TokenValidityUnits: units, RefreshTokenRotation: rotation } = settings;
    // The announcement names the plans; the developer guide and the references don't.
    if (rotation?.Feature === 'ENABLED' && this.pool(poolId).settings.UserPoolTier === 'LITE') {
      throw new Error(
        `FeatureUnavailableInTierException: The following features need to be disabled for the LITE pricing tier configured: Refresh Token Rotation (user pool client ${id}).`,
      );
    }
    for (const name of settings.SupportedIdentityProviders) {
      if (name === 'COGNITO' || this.provider(poolId, name)) continue;
      throw new Error(
        `The local Cognito can't start user pool client ${id}: its pool has no identity provider "${name}".`,
      );
    }
    if (settings.WriteAttributes) checkWritable(this.pool(poolId).settings, settings.WriteAttributes);
    // Cognito's defaults: access and ID tokens for an hour, refresh tokens for thirty days.
    const access = (settings.AccessTokenValidity ?? 1) * secondsIn[units?.AccessToken ?? 'hours'];
    const identity = (settings.IdTokenValidity ?? 1) * secondsIn[units?.IdToken ?? 'hours'];
    const refresh = (settings.RefreshTokenValidity || 30) * secondsIn[units?.RefreshToken ?? 'days'];
    this.#clients.set(id, {
      id,
      pool: this.pool(poolId),
      settings,
      rotationGrace: rotation?.Feature === 'ENABLED' ? (rotation.RetryGracePeriodSeconds ?? 0) : undefined,
      validity: { access, id: identity, refresh },
    });
  }

  /** `properties`: resolved, of an AWS::Cognito::UserPoolDomain. The domain is served at this origin. */
  putUserPoolDomain(poolId: string, properties: Record<string, unknown>): void {
    const { id } = this.pool(poolId);
    parse(UserPoolDomainSettings, properties, `the domain of user pool ${poolId}`);
    this.#domains.add(id);
  }

  /** `properties`: resolved, of an AWS::Cognito::UserPoolIdentityProvider. Put it before its clients. */
  putIdentityProvider(poolId: string, properties: Record<string, unknown>): void {
    const what = `identity provider ${String(properties['ProviderName'])}`;
    const type = String(properties['ProviderType']);
    const known = this.#known[type];
    const { id } = this.pool(poolId);
    const provider = known
      ? knownProvider(parse(knownProviderSettings(type, known.details), properties, what), known)
      : oidcProvider(parse(OidcProviderSettings, properties, what));
    this.#providers.set(id, (this.#providers.get(id) ?? new Map()).set(provider.name, provider));
  }

  hasDomain(pool: UserPool): boolean {
    return this.#domains.has(pool.id);
  }

  provider(poolId: string, name: string): IdentityProvider | undefined {
    return this.#providers.get(poolId)?.get(name);
  }

  pool(id: string): UserPool {
    const pool = this.#pools.get(id);
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`);
    return pool;
  }

  client(id: string): UserPoolClient {
    const client = this.findClient(id);
    if (!client)
      throw new CognitoError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
    return client;
  }

  findClient(id: string): UserPoolClient | undefined {
    return this.#clients.get(id);
  }

  clientsOf(pool: UserPool): UserPoolClient[] {
    return [...this.#clients.values()].filter((client) => client.pool.id === pool.id);
  }

  byIssuer(issuer: string): UserPool | undefined {
    return [...this.#pools.values()].find((pool) => pool.issuer === issuer);
  }

  #keysOf(id: string): PoolKeys {
    const stored = this.#keys.get(id);
    if (stored) return stored;
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const keys: PoolKeys = {
      kid: randomBytes(32).toString('base64'),
      ...pair,
      decoySecret: randomBytes(32).toString('base64'),
    };
    this.#keys.put(id, keys);
    return keys;
  }
}

/** 32 pseudorandom bytes, the same for the same pool, `purpose` and `name`. */
export const decoy = (pool: UserPool, purpose: string, name: string): Buffer =>
  createHmac('sha256', Buffer.from(pool.keys.decoySecret, 'base64')).update(`${purpose}\0${name}`).digest();

function parse<S extends z.ZodMiniType>(
  schema: S,
  properties: Record<string, unknown>,
  what: string,
): z.infer<S> {
  // Says what is expected. The default of the mini package is `Invalid input`.
  const result = schema.safeParse(properties, { error: z.locales.en().localeError });
  if (result.success) return result.data;
  throw new Error(`The local Cognito doesn't support ${what}:\n${z.prettifyError(result.error)}`);
}
