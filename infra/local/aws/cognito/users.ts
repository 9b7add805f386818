import { randomBytes } from 'node:crypto';
import type { Collection, Store } from '../../base/store.ts';
import { userDoesNotExist } from './errors.ts';
import { decoy, type UserPool } from './pools.ts';
import type { PasswordVerifier } from './srp.ts';

/** A linked account at an identity provider. */
export interface Identity {
  providerName: string;
  /** `OIDC`, or the type of a provider that Cognito knows. */
  providerType: string;
  /** The provider's own id for the account. */
  userId: string;
  /** Only set for SAML providers. */
  issuer: null;
  /** True if the user was created by this provider, false if the account was linked later. */
  primary: boolean;
  /** Epoch milliseconds. */
  dateCreated: number;
}

export interface User {
  poolId: string;
  /**
   * An id and equal to `sub` for users with a password, since the pool's user names are email addresses.
   * Users of an identity provider have `<provider>_<id>`, and a separate `sub`.
   */
  username: string;
  status: 'UNCONFIRMED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD';
  /** Attributes as Cognito's strings: `sub`, `email`, `email_verified` ('true' or 'false'), `name`… */
  attributes: Record<string, string>;
  /** Absent for users who sign in only with an identity provider. */
  password?: PasswordVerifier;
  identities: Identity[];
  /** ISO 8601, in the local world's time. */
  createdAt: string;
  modifiedAt: string;
}

export class Users {
  readonly #users: Collection<User>;

  constructor(store: Store) {
    this.#users = store.collection('cognito/users');
  }

  list(pool: UserPool): User[] {
    return this.#users.list().filter((user) => user.poolId === pool.id);
  }

  get(pool: UserPool, username: string): User | undefined {
    return this.#users.get(key(pool.id, username));
  }

  /** Finds a user by user name, or a user with a password by email address. */
  find(pool: UserPool, name: string): User | undefined {
    return this.get(pool, name) ?? this.byEmail(pool, name);
  }

  existing(pool: UserPool, name: string): User {
    const user = this.find(pool, name);
    if (!user) throw userDoesNotExist();
    return user;
  }

  /** The user with a password who has this address. Users of identity providers don't count. */
  byEmail(pool: UserPool, email: string): User | undefined {
    const wanted = canonicalName(email);
    return this.list(pool).find(
      (user) =>
        user.status !== 'EXTERNAL_PROVIDER' && canonicalName(user.attributes['email'] ?? '') === wanted,
    );
  }

  byIdentity(
    pool: UserPool,
    { providerName, userId }: Pick<Identity, 'providerName' | 'userId'>,
  ): User | undefined {
    return this.list(pool).find((user) =>
      user.identities.some(
        (identity) => identity.providerName === providerName && identity.userId === userId,
      ),
    );
  }

  /** A blank value deletes its attribute. */
  put(user: User): void {
    const attributes = Object.fromEntries(
      Object.entries(user.attributes).filter(([, value]) => value !== ''),
    );
    this.#users.put(key(user.poolId, user.username), { ...user, attributes });
  }

  delete(user: User): void {
    this.#users.delete(key(user.poolId, user.username));
  }
}

const key = (poolId: string, username: string): string => `${poolId}/${username}`;

/**
 * A user's id, made of 32 hexadecimal digits. It looks like a UUID of version 7 with a variant that RFC 9562
 * doesn't allow, as Cognito's ids do: issue 6119 of zod, issues 851 and 936 of the package uuid. Cognito's
 * variant differs from user to user. Here every id fails a strict check of UUIDs.
 */
export const userIdFrom = (hex = randomBytes(16).toString('hex')): string =>
  [
    hex.slice(0, 8),
    `${hex.slice(8, 9)}0${hex.slice(10, 11)}1`,
    `70${hex.slice(14, 16)}`,
    `d${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');

/** The made-up user name of an unknown user, always the same one. */
export const decoyUsername = (pool: UserPool, name: string): string =>
  userIdFrom(decoy(pool, 'username', canonicalName(name)).toString('hex'));

/** Names that differ in their case alone are equal. */
export const canonicalName = (name: string): string => name.toLowerCase();

/** The user name that Cognito gives a new user of an identity provider. */
export const federatedName = ({ providerName, userId }: Pick<Identity, 'providerName' | 'userId'>): string =>
  `${canonicalName(providerName)}_${userId}`;

/** Cognito adds each user of an identity provider to a group of that provider. */
export const groupsOf = (user: User): string[] =>
  user.status === 'EXTERNAL_PROVIDER'
    ? user.identities
        .filter(({ primary }) => primary)
        .map(({ providerName }) => `${user.poolId}_${providerName}`)
    : [];

export const subOf = ({ attributes, username }: User): string => attributes['sub'] ?? username;

/** `attributes` in the form of the API's responses. */
export const attributeList = (attributes: Record<string, string>): { Name: string; Value: string }[] =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));

/** The stored attributes and `identities`, as triggers and tokens get them. */
export function visibleAttributes(user: User): Record<string, string> {
  if (user.identities.length === 0) return user.attributes;
  return { ...user.attributes, identities: JSON.stringify(user.identities) };
}
