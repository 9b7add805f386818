import { eitherOf, type Provider, providerNames } from '../../schemas/providers.ts';
import { asciiLowerCase } from './ascii-lower-case.ts';

/** An account at a provider. */
export interface Identity {
  provider: Provider;
  /** The provider's own id of the account. Digits. */
  id: string;
}

/** An account in the user pool. */
export interface Account {
  username: string;
  /** Cognito's `UserStatus`. */
  status: string;
  email: string | undefined;
  emailVerified: boolean;
  createdAt: Date;
  /** The provider accounts that can sign in to this account. */
  identities: readonly Identity[];
}

/** What a provider tells Cognito about a user at the first sign-in. */
export interface ProviderProfile {
  kind: 'profile';
  identity: Identity;
  /** Verified by the provider. */
  email: string;
}

export interface RefusedProfile {
  kind: 'refused';
  /** Shown to the user. */
  sentence: string;
}

// Cognito's user names have at most 128 characters and no spaces. Here the address is a user name.
const USABLE_ADDRESS = /^[^\s\p{C}]{1,128}$/u;

/**
 * Parses Cognito's user name of a provider's account: `google_1234`, also written `Google_1234`. Undefined
 * for an unknown provider, and for an id that isn't digits: Cognito writes these names in lower case, so an
 * id with capitals would name another identity.
 */
export function identityOf(userName: string): Identity | undefined {
  const [, name, id] = /^([A-Za-z]+)_([0-9]+)$/.exec(userName) ?? [];
  const provider = providerNames.find(
    (candidate) => asciiLowerCase(candidate) === asciiLowerCase(name ?? ''),
  );
  return provider && id !== undefined ? { provider, id } : undefined;
}

/** Reads a provider's profile. Refuses a profile whose address the provider hasn't verified. */
export function readProviderProfile(
  userName: string,
  attributes: { email?: string | undefined; email_verified?: string | undefined },
): ProviderProfile | RefusedProfile {
  const identity = identityOf(userName);
  if (!identity) {
    return { kind: 'refused', sentence: `You can sign in with ${eitherOf(providerNames)} only.` };
  }
  const { provider } = identity;
  const { email, email_verified } = attributes;
  if (!email || email_verified !== 'true') {
    return {
      kind: 'refused',
      sentence: `${provider} has no verified e-mail address for this account. Verify one at ${provider} and try again.`,
    };
  }
  if (!USABLE_ADDRESS.test(email)) {
    return {
      kind: 'refused',
      sentence: `The e-mail address of this ${provider} account cannot be used here.`,
    };
  }
  return { kind: 'profile', identity, email };
}

/**
 * The account that a provider's profile is linked to, or undefined if the user gets a separate account.
 * `accounts`: what the pool found for the address. The pool's search is inexact, so each address is compared
 * again.
 */
export function accountToLink(
  { identity, email }: ProviderProfile,
  accounts: readonly Account[],
): Account | undefined {
  return (
    accounts
      .filter(
        (account) =>
          hasVerifiedAddress(account, email) && (isProviderAccount(account) || isConfirmed(account)),
      )
      // Cognito's second call may find the user's own new account.
      .filter(({ username }) => !isSameIdentity(identityOf(username), identity))
      // Providers' accounts come first: somebody else may have signed up with the address and a password, and
      // its owner may have confirmed that by mistake. Otherwise the oldest account comes first.
      .toSorted(
        (a, b) =>
          Number(isProviderAccount(b)) - Number(isProviderAccount(a)) ||
          a.createdAt.getTime() - b.createdAt.getTime(),
      )[0]
  );
}

/**
 * Whether to refuse a sign-up with a password. Cognito itself refuses the address of another password
 * account.
 */
export const isTakenByProvider = (email: string, accounts: readonly Account[]): boolean =>
  accounts.some((account) => isProviderAccount(account) && hasVerifiedAddress(account, email));

export const isLinked = ({ identities }: Account, identity: Identity): boolean =>
  identities.some((linked) => isSameIdentity(linked, identity));

/** Whether the account was created by a sign-in with a provider. It has no password. */
const isProviderAccount = ({ status, username }: Account): boolean =>
  status === 'EXTERNAL_PROVIDER' && identityOf(username) !== undefined;

const isConfirmed = ({ status }: Account): boolean => status === 'CONFIRMED';

const hasVerifiedAddress = (account: Account, email: string): boolean =>
  account.emailVerified &&
  account.email !== undefined &&
  asciiLowerCase(account.email) === asciiLowerCase(email);

const isSameIdentity = (a: Identity | undefined, b: Identity): boolean =>
  a?.provider === b.provider && a.id === b.id;
