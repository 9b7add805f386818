import { createHash } from 'node:crypto';
import type { Collection, Store } from '../../base/store.ts';

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

export type Provider = 'google' | 'github';
type Person = Omit<Account, 'id'>;

const person = (name: string, email: string, verified = true, others: Address[] = []): Person => ({
  name,
  primary: { email, verified },
  others,
});

const madeUp: Record<Provider, readonly Person[]> = {
  google: [
    person('Ada Lovelace', 'ada@example.com'),
    person('Grace Hopper', 'grace@example.com'),
    person('Alan Turing', 'alan@example.com'),
    person('Charles Babbage', 'charles@example.com', false),
  ],
  github: [
    person('Ada Lovelace', 'ada@example.com', true, [
      { email: 'ada@analytical-engine.example', verified: true },
    ]),
    person('Grace Hopper', 'grace@example.com', true, [{ email: 'grace@navy.example', verified: false }]),
    person('Alan Turing', 'alan@example.com'),
    // A client that takes any verified address takes the wrong one.
    person('Charles Babbage', 'charles@example.com', false, [
      { email: 'charles@difference-engine.example', verified: true },
    ]),
  ],
};

/** The accounts of one provider: the built-in ones and those that were entered, by address. */
export class Accounts {
  readonly #provider: Provider;
  readonly #remembered: Collection<Account>;

  constructor({ provider, store }: { provider: Provider; store: Store }) {
    this.#provider = provider;
    this.#remembered = store.collection(`providers/${provider}/accounts`);
  }

  /** Built-in accounts first, then the entered ones, newest first. */
  list(): Account[] {
    const made = madeUp[this.#provider].map((one) => this.#known(one));
    const others = this.#remembered.list().filter(({ id }) => made.every((one) => one.id !== id));
    return [...made, ...others.toReversed()];
  }

  /** Case-insensitive. */
  find(email: string): Account | undefined {
    const made = madeUp[this.#provider].find(({ primary }) => primary.email === email.toLowerCase());
    return made ? this.#known(made) : this.#remembered.get(email.toLowerCase());
  }

  /** Stores an account under this address. A known account keeps its id and gets the new name and address. */
  remember({ name, primary }: Pick<Account, 'name' | 'primary'>): Account {
    const standing = this.find(primary.email);
    const account: Account = {
      id: standing?.id ?? idAt(this.#provider, primary.email),
      name,
      primary,
      others: standing?.others ?? [],
    };
    this.#remembered.put(primary.email.toLowerCase(), account);
    return account;
  }

  #known(made: Person): Account {
    const { email } = made.primary;
    return this.#remembered.get(email) ?? { id: idAt(this.#provider, email), ...made };
  }
}

function idAt(provider: Provider, email: string): string {
  const digest = createHash('sha256').update(`${provider}/${email.toLowerCase()}`).digest('hex');
  const number = BigInt(`0x${digest}`);
  // GitHub's ids are JSON numbers. Google's are too long for that and are strings.
  return provider === 'google'
    ? `1${String(number % 10n ** 20n).padStart(20, '0')}`
    : String(10_000_000n + (number % 10n ** 9n));
}
