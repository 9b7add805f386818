/*
 * Ownership of addresses.
 *
 * 1. The owner of an address is the account that the table Addresses names. Its conditional write decides
 *    between accounts. Cognito can't: it lets a provider's account have the address of another account.
 * 2. An account may claim an address once its mailbox or a provider has proved it. Typing proves nothing: an
 *    account that was never confirmed is deleted when another account proves its address.
 * 3. An owner that is deleted, or has another address in the pool, is replaced at the next claim.
 * 4. An address is released last, once the pool has another address. Rule 3 makes up for a failed release.
 */
import type { Uses } from '../adapters/adapters.ts';
import type { UserPool } from '../adapters/cognito/user-pool.ts';
import { type Account, holdsAddress, isUnconfirmed } from '../domain/account-linking.ts';
import { attempt } from '../runtime/attempt.ts';

export type OwnershipDependencies = Uses<'addresses'> & { pool: Pick<UserPool, 'find' | 'remove'> };

const REMOVED = 'removed:';

/**
 * The owner of an address while an unconfirmed account with the address is deleted. No user name begins with
 * this prefix: user names are UUIDs, or a provider's name and an id.
 */
export const removalMark = (username: string): string => `${REMOVED}${username}`;

const isRemovalMark = (owner: string): boolean => owner.startsWith(REMOVED);

/**
 * `named`: the account with a password that Cognito finds for the address. `owner`: another account that
 * holds the address. `claimedBy`: the user name in the table Addresses.
 */
export async function accountsWith({ pool, addresses }: OwnershipDependencies, email: string) {
  const [named, claimedBy] = await Promise.all([pool.find(email), addresses.ownerOf(email)]);
  // A provider's account isn't found by its address.
  const isOther = claimedBy !== undefined && claimedBy !== named?.username && !isRemovalMark(claimedBy);
  const owner = isOther ? await pool.find(claimedBy) : undefined;
  return { named, owner: owner && holdsAddress(owner, email) ? owner : undefined, claimedBy };
}

/** The account that has proved an address, or else the one that waits for its confirmation. */
export async function holderOf(dependencies: OwnershipDependencies, email: string) {
  const { named, owner } = await accountsWith(dependencies, email);
  if (owner) return owner;
  return named && (holdsAddress(named, email) || isUnconfirmed(named, email)) ? named : undefined;
}

type Claim =
  | { kind: 'claimed' }
  | { kind: 'taken'; by: Account }
  /** The account is about to be deleted as never confirmed. */
  | { kind: 'being-removed' };

// Each try loses only to another account that got the address in between, or to Cognito being out of reach.
export const TRIES = 3;

/** Makes an account the owner of an address, if no other living account holds it (rule 3). */
export async function claimAddress(
  { pool, addresses }: OwnershipDependencies,
  email: string,
  username: string,
): Promise<Claim> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await addresses.claim(email, username)) return { kind: 'claimed' };
    const owner = await addresses.ownerOf(email);
    if (owner === undefined) continue;
    if (owner === removalMark(username)) return { kind: 'being-removed' };
    const holder = async (): Promise<Account | undefined> => {
      const account = isRemovalMark(owner) ? undefined : await pool.find(owner);
      return account && holdsAddress(account, email) ? account : undefined;
    };
    const by = await holder();
    if (by) return { kind: 'taken', by };
    if (!(await addresses.claim(email, username, owner))) continue;
    // A provider's account gets the same user name when its user returns, and may have claimed it first.
    const back = await holder();
    if (!back) return { kind: 'claimed' };
    await addresses.claim(email, owner, username);
    return { kind: 'taken', by: back };
  }
  throw new Error('Other accounts claimed the address at every try.');
}

/** Claims an address, and deletes an account that only typed it. False if another account has proved it. */
export async function claimProvedAddress(
  dependencies: OwnershipDependencies,
  email: string,
  username: string,
): Promise<boolean> {
  const named = await dependencies.pool.find(email);
  if (named && named.username !== username) {
    if (!isUnconfirmed(named, email) || !(await removeUnconfirmed(dependencies, named))) return false;
  }
  return (await claimAddress(dependencies, email, username)).kind === 'claimed';
}

/** Gives up an address. A failure is only logged (rule 4). */
export const releaseAddress = (
  addresses: OwnershipDependencies['addresses'],
  user: string,
  { email, username }: { email: string; username: string },
): Promise<void> => attempt('address-not-released', { user }, () => addresses.release(email, username));

export async function isTaken(dependencies: OwnershipDependencies, email: string, username: string) {
  const { named, owner } = await accountsWith(dependencies, email);
  const isNamed = named && named.username !== username && !isUnconfirmed(named, email);
  return isNamed === true || (owner !== undefined && owner.username !== username);
}

/**
 * Deletes an account that was never confirmed. False if it has been confirmed meanwhile: Cognito can't delete
 * under a condition, so the table decides. The deletion writes a mark there, the confirmation its account
 * (`functions/triggers/post-confirmation.ts`), which is refused if the mark comes first.
 */
export async function removeUnconfirmed(
  dependencies: OwnershipDependencies,
  { username, email = '' }: Account,
): Promise<boolean> {
  const { pool, addresses } = dependencies;
  const mark = removalMark(username);
  const claim = await claimAddress(dependencies, email, mark);
  if (claim.kind === 'taken' && claim.by.username === username) return false;
  // An address of another account needs no mark: this account can't be confirmed any more.
  await pool.remove(username);
  await addresses.release(email, mark);
  return true;
}

/** `removeUnconfirmed` for an account that was read some time ago, or not at all. */
export async function removeIfUnconfirmed(dependencies: OwnershipDependencies, username: string) {
  const account = await dependencies.pool.find(username);
  const email = account?.email;
  if (!account || email === undefined || !isUnconfirmed(account, email)) return false;
  return removeUnconfirmed(dependencies, account);
}
