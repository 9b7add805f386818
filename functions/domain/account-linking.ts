import { asciiLowerCase } from './ascii-lower-case.ts';

/** Who may vouch for people, as the pool's identity providers are called. */
const providers = ['Google', 'GitHub'] as const;
export type Provider = (typeof providers)[number];

/** An account at a provider. */
export interface Identity {
  provider: Provider;
  /** The provider's own id of it, digits. */
  id: string;
}

/** An account in the pool. */
export interface Account {
  username: string;
  /** Cognito's own word. */
  status: string;
  email: string | undefined;
  emailVerified: boolean;
  createdAt: Date;
  /** Who may sign in as this account by way of a provider. */
  identities: readonly Identity[];
}

/** What a provider says of somebody who comes for the first time. */
export interface Introduction {
  kind: 'introduced';
  identity: Identity;
  /** Verified, says the provider. */
  email: string;
}

export interface Refused {
  kind: 'refuse';
  /** For the person. */
  sentence: string;
}

export type Joining =
  /** They sign in as this account from now on. */
  | { kind: 'join'; account: Account }
  /** They get an account of their own. */
  | { kind: 'separate' };

// A user name of Cognito's is at most this long and has no blanks; here the address is one.
const USABLE_ADDRESS = /^[^\s\p{C}]{1,128}$/u;

/**
 * Reads what Cognito calls somebody whom a provider has sent: `google_1234`, also written `Google_1234`. Undefined for a
 * provider that isn't one of ours, and for an id that isn't digits: Cognito writes these names in lower case, so of an id with
 * capitals we would link another one.
 */
export function identityOf(userName: string): Identity | undefined {
  const [, name, id] = /^([A-Za-z]+)_([0-9]+)$/.exec(userName) ?? [];
  const provider = providers.find((one) => asciiLowerCase(one) === asciiLowerCase(name ?? ''));
  return provider && id !== undefined ? { provider, id } : undefined;
}

/** What the provider says, or why it isn't enough. An address that the provider doesn't vouch for opens nothing here. */
export function introduction(
  userName: string,
  attributes: { email?: string | undefined; email_verified?: string | undefined },
): Introduction | Refused {
  const identity = identityOf(userName);
  if (!identity) return { kind: 'refuse', sentence: 'You can sign in with Google or GitHub only.' };
  const { provider } = identity;
  const { email, email_verified } = attributes;
  if (!email || email_verified !== 'true') {
    return {
      kind: 'refuse',
      sentence: `${provider} has no verified e-mail address for this account. Verify one at ${provider} and try again.`,
    };
  }
  if (!USABLE_ADDRESS.test(email)) {
    return {
      kind: 'refuse',
      sentence: `The e-mail address of this ${provider} account cannot be used here.`,
    };
  }
  return { kind: 'introduced', identity, email };
}

/** `accounts`: whatever the pool found for the address; what it finds isn't taken for the same address unasked. */
export function joining({ identity, email }: Introduction, accounts: readonly Account[]): Joining {
  const account = accounts
    .filter((one) => hasVerified(one, email) && (isProviders(one) || isConfirmed(one)))
    // Not the newcomer's own, which a second call may find.
    .filter(({ username }) => !isSame(identityOf(username), identity))
    // Beside a provider's account, one with a password may be somebody else's who got the address confirmed by its owner's
    // mistake. Among equals the oldest, which the others' addresses came to later.
    .toSorted(
      (one, other) =>
        Number(isProviders(other)) - Number(isProviders(one)) ||
        one.createdAt.getTime() - other.createdAt.getTime(),
    )[0];
  return account ? { kind: 'join', account } : { kind: 'separate' };
}

/** Whether a sign-up with a password has to be refused. Cognito sees to other accounts with a password itself. */
export const isTakenByProvider = (email: string, accounts: readonly Account[]): boolean =>
  accounts.some((account) => isProviders(account) && hasVerified(account, email));

export const isLinked = ({ identities }: Account, identity: Identity): boolean =>
  identities.some((one) => isSame(one, identity));

/** Made by a first sign-in at a provider; it has no password. */
const isProviders = ({ status, username }: Account): boolean =>
  status === 'EXTERNAL_PROVIDER' && identityOf(username) !== undefined;

const isConfirmed = ({ status }: Account): boolean => status === 'CONFIRMED';

const hasVerified = (account: Account, email: string): boolean =>
  account.emailVerified &&
  account.email !== undefined &&
  asciiLowerCase(account.email) === asciiLowerCase(email);

const isSame = (one: Identity | undefined, other: Identity): boolean =>
  one?.provider === other.provider && one.id === other.id;
