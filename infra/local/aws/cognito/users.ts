import type { Collection, Store } from '../../base/store.ts';
import { userDoesNotExist } from './errors.ts';
import type { UserPool } from './pools.ts';
import type { PasswordVerifier } from './srp.ts';

/** An account at an identity provider that signs in as this user. */
export interface Identity {
  providerName: string;
  providerType: 'Google' | 'OIDC';
  /** The provider's own id of the account. */
  userId: string;
  /** Cognito says it of SAML providers only. */
  issuer: null;
  /** Whether it made the user, and wasn't linked to one. */
  primary: boolean;
  /** Epoch milliseconds. */
  dateCreated: number;
}

export interface User {
  poolId: string;
  /**
   * Where the e-mail is the user name, Cognito names a user by a UUID, which is the `sub` too. Who came by an identity
   * provider goes by its name and its id of them, `google_1234`, and has a `sub` besides.
   */
  username: string;
  status: 'UNCONFIRMED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER';
  /** As Cognito keeps them, all text: `sub`, `email`, `email_verified` ('true' or 'false'), `name`… */
  attributes: Record<string, string>;
  /** Absent for who signs in at an identity provider only. */
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

  /** By whatever names a user: the user name itself, or the e-mail of somebody with a password. */
  find(pool: UserPool, name: string): User | undefined {
    return this.get(pool, name) ?? this.byEmail(pool, name);
  }

  existing(pool: UserPool, name: string): User {
    const user = this.find(pool, name);
    if (!user) throw userDoesNotExist();
    return user;
  }

  /** E-mail is a user name for those who have a password: who came by an identity provider isn't found, nor in the way. */
  byEmail(pool: UserPool, email: string): User | undefined {
    const wanted = canonicalName(pool, email);
    return this.list(pool).find(
      (user) =>
        user.status !== 'EXTERNAL_PROVIDER' && canonicalName(pool, user.attributes['email'] ?? '') === wanted,
    );
  }

  byIdentity(
    pool: UserPool,
    { providerName, userId }: Pick<Identity, 'providerName' | 'userId'>,
  ): User | undefined {
    return this.list(pool).find((user) =>
      user.identities.some((one) => one.providerName === providerName && one.userId === userId),
    );
  }

  put(user: User): void {
    this.#users.put(key(user.poolId, user.username), user);
  }

  delete(user: User): void {
    this.#users.delete(key(user.poolId, user.username));
  }
}

const key = (poolId: string, username: string): string => `${poolId}/${username}`;

/** Two names that are the same to the pool are the same text. */
export const canonicalName = (pool: UserPool, name: string): string =>
  pool.settings.UsernameConfiguration?.CaseSensitive === false ? name.toLowerCase() : name;

/** What Cognito calls somebody who comes by an identity provider for the first time. */
export const federatedName = (
  pool: UserPool,
  { providerName, userId }: Pick<Identity, 'providerName' | 'userId'>,
): string => `${canonicalName(pool, providerName)}_${userId}`;

/** Cognito puts everybody whom a provider brought into a group of that provider's. */
export const groupsOf = (user: User): string[] =>
  user.status === 'EXTERNAL_PROVIDER'
    ? user.identities.filter(({ primary }) => primary).map((one) => `${user.poolId}_${one.providerName}`)
    : [];

export const subOf = ({ attributes, username }: User): string => attributes['sub'] ?? username;

/** `attributes` as every response of the API lists them. */
export const attributeList = (attributes: Record<string, string>): { Name: string; Value: string }[] =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));

/** What triggers and tokens see of a user besides the stored attributes. */
export function visibleAttributes(user: User): Record<string, string> {
  if (user.identities.length === 0) return user.attributes;
  return { ...user.attributes, identities: JSON.stringify(user.identities) };
}
