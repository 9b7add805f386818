import { type Account, holdsAddress, isUnconfirmed } from '../domain/account-linking.ts';
import { isRemovalMark } from '../domain/removal-mark.ts';
import type { OwnershipDependencies } from './address-ownership.ts';

/**
 * `named`: the account with a password that Cognito finds for the address. `owner`: another account that
 * holds the address. `claimedBy`: the user name in the table Addresses.
 */
export async function accountsWith(
  { pool, addresses }: OwnershipDependencies,
  email: string,
): Promise<{ named: Account | undefined; owner: Account | undefined; claimedBy: string | undefined }> {
  const [named, claimedBy] = await Promise.all([pool.find(email), addresses.ownerOf(email)]);
  // A provider's account isn't found by its address.
  const isOther = claimedBy !== undefined && claimedBy !== named?.username && !isRemovalMark(claimedBy);
  const owner = isOther ? await pool.find(claimedBy) : undefined;
  return { named, owner: owner && holdsAddress(owner, email) ? owner : undefined, claimedBy };
}

/**
 * The account that an address leads to now: the account that has proved it, or else an account that waits for
 * its confirmation.
 */
export async function holderOf(
  dependencies: OwnershipDependencies,
  email: string,
): Promise<Account | undefined> {
  const { named, owner } = await accountsWith(dependencies, email);
  if (owner) return owner;
  return named && (holdsAddress(named, email) || isUnconfirmed(named, email)) ? named : undefined;
}
