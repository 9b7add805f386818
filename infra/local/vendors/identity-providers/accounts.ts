import { createHash } from 'node:crypto';
import type { Collection, Store } from '../../base/store.ts';

export interface Address {
  email: string;
  verified: boolean;
}

/** An account at a provider. */
export interface Account {
  /** Derived from the address, so the same in every local world. */
  id: string;
  /** Empty if the account has none. */
  name: string;
  primary: Address;
  /** Most providers know one address of an account. */
  others: Address[];
}

export type BuiltInAccount = Omit<Account, 'id'>;

/** The accounts of a provider. */
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

/** A provider's accounts, built in and entered, by address. */
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
    const first = this.#kind.builtIn.map((account) => this.#current(account));
    const entered = this.#saved.list().filter(({ id }) => first.every((account) => account.id !== id));
    return [...first, ...entered.toReversed()];
  }

  /** Case-insensitive. */
  byEmail(email: string): Account | undefined {
    const found = this.#kind.builtIn.find(({ primary }) => primary.email === email.toLowerCase());
    return found ? this.#current(found) : this.#saved.get(email.toLowerCase());
  }

  /** Stores an account under this address. A known account keeps its id and gets the new name and address. */
  save({ name, primary }: Pick<Account, 'name' | 'primary'>): Account {
    const existing = this.byEmail(primary.email);
    const account: Account = {
      id: existing?.id ?? this.#idAt(primary.email),
      name,
      primary,
      others: existing?.others ?? [],
    };
    this.#saved.put(primary.email.toLowerCase(), account);
    return account;
  }

  #current(account: BuiltInAccount): Account {
    const { email } = account.primary;
    return this.#saved.get(email) ?? { id: this.#idAt(email), ...account };
  }

  #idAt(email: string): string {
    const digest = createHash('sha256').update(`${this.#provider}/${email.toLowerCase()}`).digest('hex');
    return this.#kind.idFrom(BigInt(`0x${digest}`));
  }
}
