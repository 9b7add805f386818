import { createHash } from 'node:crypto';
import type { Collection, Store } from '../../base/store.ts';
import type { StandInKey } from './providers.ts';

export interface Address {
  email: string;
  verified: boolean;
}

/** An account at a provider. */
export interface Account {
  /** 21 digits at Google, a number at GitHub. Derived from the address, so the same in every local world. */
  id: string;
  /** Empty if a GitHub account has no name. */
  name: string;
  primary: Address;
  /** Only GitHub accounts have more than one address. */
  others: Address[];
}

type BuiltInAccount = Omit<Account, 'id'>;

const builtInAccount = (
  name: string,
  email: string,
  verified = true,
  others: Address[] = [],
): BuiltInAccount => ({
  name,
  primary: { email, verified },
  others,
});

const builtIn: Record<StandInKey, readonly BuiltInAccount[]> = {
  google: [
    builtInAccount('Ada Lovelace', 'ada@example.com'),
    builtInAccount('Grace Hopper', 'grace@example.com'),
    builtInAccount('Alan Turing', 'alan@example.com'),
    builtInAccount('Charles Babbage', 'charles@example.com', false),
  ],
  github: [
    builtInAccount('Ada Lovelace', 'ada@example.com', true, [
      { email: 'ada@analytical-engine.example', verified: true },
    ]),
    builtInAccount('Grace Hopper', 'grace@example.com', true, [
      { email: 'grace@navy.example', verified: false },
    ]),
    builtInAccount('Alan Turing', 'alan@example.com'),
    // A client that accepts any verified address picks the wrong address.
    builtInAccount('Charles Babbage', 'charles@example.com', false, [
      { email: 'charles@difference-engine.example', verified: true },
    ]),
  ],
};

/** A provider's accounts, built in and entered, by address. */
export class Accounts {
  readonly #provider: StandInKey;
  readonly #saved: Collection<Account>;

  constructor({ provider, store }: { provider: StandInKey; store: Store }) {
    this.#provider = provider;
    this.#saved = store.collection(`providers/${provider}/accounts`);
  }

  /** Built-in accounts first, then the entered ones, newest first. */
  list(): Account[] {
    const first = builtIn[this.#provider].map((account) => this.#current(account));
    const entered = this.#saved.list().filter(({ id }) => first.every((account) => account.id !== id));
    return [...first, ...entered.toReversed()];
  }

  /** Case-insensitive. */
  byEmail(email: string): Account | undefined {
    const found = builtIn[this.#provider].find(({ primary }) => primary.email === email.toLowerCase());
    return found ? this.#current(found) : this.#saved.get(email.toLowerCase());
  }

  /** Stores an account under this address. A known account keeps its id and gets the new name and address. */
  save({ name, primary }: Pick<Account, 'name' | 'primary'>): Account {
    const existing = this.byEmail(primary.email);
    const account: Account = {
      id: existing?.id ?? idAt(this.#provider, primary.email),
      name,
      primary,
      others: existing?.others ?? [],
    };
    this.#saved.put(primary.email.toLowerCase(), account);
    return account;
  }

  #current(account: BuiltInAccount): Account {
    const { email } = account.primary;
    return this.#saved.get(email) ?? { id: idAt(this.#provider, email), ...account };
  }
}

function idAt(provider: StandInKey, email: string): string {
  const digest = createHash('sha256').update(`${provider}/${email.toLowerCase()}`).digest('hex');
  const number = BigInt(`0x${digest}`);
  // GitHub's ids are JSON numbers. Google's are too long for that and are strings.
  return provider === 'google'
    ? `1${String(number % 10n ** 20n).padStart(20, '0')}`
    : String(10_000_000n + (number % 10n ** 9n));
}
