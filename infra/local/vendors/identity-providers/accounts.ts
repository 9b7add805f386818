import { createHash } from 'node:crypto';
import type { Collection, Store } from '../../base/store.ts';

export interface Address {
  email: string;
  verified: boolean;
}

export interface Account {
  /** Derived from the account's first address, so the same in every local world. */
  id: string;
  /** Empty if the account has none. */
  name: string;
  primary: Address;
  /** Most providers know one address of an account. */
  others: Address[];
}

export type BuiltInAccount = Omit<Account, 'id'>;

export interface AccountKind {
  builtIn: readonly BuiltInAccount[];
  /** The id of an account, from a number of 256 bits that belongs to its address. */
  idFrom: (digest: bigint) => string;
  /** Whether every account has a name. */
  needsName: boolean;
}

export const builtInAccount = (
  name: string,
  email: string,
  verified = true,
  others: Address[] = [],
): BuiltInAccount => ({
  name,
  primary: { email, verified },
  others,
});

/** A provider's accounts, built in and entered. */
export class Accounts {
  readonly #provider: string;
  readonly #kind: AccountKind;
  readonly #saved: Collection<Account>;

  constructor({ provider, kind, store }: { provider: string; kind: AccountKind; store: Store }) {
    this.#provider = provider;
    this.#kind = kind;
    this.#saved = store.collection(`providers/${provider}/accounts`);
  }

  /** Built-in accounts first, then the entered ones, newest first. */
  list(): Account[] {
    const saved = new Map(this.#saved.list().map((account) => [account.id, account]));
    const first = this.#kind.builtIn.map((account) => {
      const id = this.#idAt(account.primary.email);
      const current = saved.get(id) ?? { id, ...account };
      saved.delete(id);
      return current;
    });
    return [...first, ...[...saved.values()].toReversed()];
  }

  /** Throws if there is no such account. */
  byId(id: string): Account {
    const found = this.list().find((account) => account.id === id);
    if (!found) throw new Error(`There is no account ${id}.`);
    return found;
  }

  /** Case-insensitive. */
  byEmail(email: string): Account | undefined {
    return this.list().find(({ primary }) => primary.email.toLowerCase() === email.toLowerCase());
  }

  /** Stores an account under this address. A known account keeps its id and gets the new name and address. */
  save({ name, primary }: Pick<Account, 'name' | 'primary'>): Account {
    const existing = this.byEmail(primary.email);
    return this.#put({
      id: existing?.id ?? this.#freeId(primary.email),
      name,
      primary,
      others: existing?.others ?? [],
    });
  }

  /** Changes the address of an account, which keeps its id. Undefined if another account has the address. */
  changeAddress(account: Account, primary: Address): Account | undefined {
    const existing = this.byEmail(primary.email);
    if (existing && existing.id !== account.id) return undefined;
    return this.#put({ ...account, primary });
  }

  #put(account: Account): Account {
    this.#saved.put(account.id, account);
    return account;
  }

  #idAt(seed: string): string {
    const digest = createHash('sha256').update(`${this.#provider}/${seed.toLowerCase()}`).digest('hex');
    return this.#kind.idFrom(BigInt(`0x${digest}`));
  }

  /** The id of a new account. An account that had this address before keeps the address's first id. */
  #freeId(email: string): string {
    const taken = new Set(this.list().map(({ id }) => id));
    let seed = email;
    while (taken.has(this.#idAt(seed))) seed += '+';
    return this.#idAt(seed);
  }
}
