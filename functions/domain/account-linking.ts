import { idForms, type ProviderKey, providerInUserName } from '../../schemas/product/providers.ts';
import { profileRefusals, triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { asciiLowerCase } from './ascii-lower-case.ts';
import type { Profile } from './profile.ts';

/** An account at a provider. */
export interface Identity {
  provider: ProviderKey;
  /** The provider's own id of the account. */
  id: string;
}

export interface Account {
  sub: string;
  /** The `sub` of an account with a password, `google_1234` of an account that a provider created. */
  username: string;
  /** Cognito's `UserStatus`. */
  status: string;
  /** A disabled account can't sign in or reset its password. */
  enabled: boolean;
  email: string | undefined;
  emailVerified: boolean;
  name?: string | undefined;
  /** SHA-256 of the secret of the browser that signed up (`schemas/sign-up-browser.ts`). */
  browserHash?: string | undefined;
  createdAt: Date;
  /** The provider accounts that can sign in to this account. */
  identities: readonly Identity[];
}

/** A provider's profile at a user's first sign-in, or a sentence for the user. */
type ProviderProfile =
  | { kind: 'profile'; identity: Identity; email: string }
  | { kind: 'refused'; sentence: string };

// Cognito's user names have at most 128 characters and no spaces. The address is looked up as a user name.
const USABLE_ADDRESS = /^[^\s\p{C}]{1,128}$/u;

/** Parses a provider's user name: `google_1234`, also `Google_1234`. Undefined for any other. */
export function identityOf(userName: string): Identity | undefined {
  const provider = providerInUserName(userName);
  const id = userName.slice(userName.indexOf('_') + 1);
  return provider && idForms[provider].test(id) ? { provider, id } : undefined;
}

export function readProviderProfile(
  userName: string,
  attributes: { email?: string | undefined; email_verified?: string | undefined },
): ProviderProfile {
  const identity = identityOf(userName);
  if (!identity) return { kind: 'refused', sentence: triggerRefusals.unknownProvider };
  const { unverifiedAddress, unusableAddress } = profileRefusals(identity.provider);
  const { email, email_verified } = attributes;
  if (!email || email_verified !== 'true') return { kind: 'refused', sentence: unverifiedAddress };
  if (!USABLE_ADDRESS.test(email)) return { kind: 'refused', sentence: unusableAddress };
  return { kind: 'profile', identity, email };
}

/** Whether a provider's profile may be linked to this account, which holds the address. */
export const isLinkable = (account: Account): boolean =>
  account.enabled && (isProviderAccount(account) || account.status === 'CONFIRMED');

export const profileOf = (account: Account): Profile => ({
  email: account.email?.toLowerCase(),
  emailVerified: account.emailVerified,
  name: account.name,
  providers: account.identities.map(({ provider }) => provider),
  hasPassword: hasPassword(account),
});

/** An account that a provider created has none. */
export const hasPassword = ({ sub, username }: Account): boolean => sub === username;

/** Whether the account was created by a sign-in with this identity. */
export const isOf = (identity: Identity, { username }: Pick<Account, 'username'>): boolean =>
  isSameIdentity(identityOf(username), identity);

/**
 * Whether this account has proved the address, so that no other may have it. Compares the address again: the
 * pool ignores case beyond ASCII, and the account's address may have changed since it was proved.
 */
export const holdsAddress = (account: Account, email: string): boolean =>
  account.status !== 'UNCONFIRMED' && account.emailVerified && hasAddress(account, email);

/** Whether anyone may have signed up with this address and chosen the password. */
export const isUnconfirmed = (account: Account, email: string): boolean =>
  account.status === 'UNCONFIRMED' && hasAddress(account, email);

export const isLinked = ({ identities }: Account, identity: Identity): boolean =>
  identities.some((linked) => isSameIdentity(linked, identity));

/** The providers that open the account, the one that made it first. */
export const providersOf = ({ username, identities }: Account): ProviderKey[] => [
  ...new Set([identityOf(username), ...identities].flatMap((identity) => identity?.provider ?? [])),
];

const isProviderAccount = ({ status, username }: Account): boolean =>
  status === 'EXTERNAL_PROVIDER' && identityOf(username) !== undefined;

const hasAddress = (account: Account, email: string): boolean =>
  account.email !== undefined && asciiLowerCase(account.email) === asciiLowerCase(email);

export const isSameIdentity = (a: Identity | undefined, b: Identity): boolean =>
  a?.provider === b.provider && a.id === b.id;
