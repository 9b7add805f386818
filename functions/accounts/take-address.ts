import type { UserPool } from '../adapters/cognito/user-pool.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { holdsAddress, isUnconfirmed } from '../domain/account-linking.ts';
import { isRemovalMark } from '../domain/removal-mark.ts';
import { type AddressDependencies, claimAddress } from './claim-address.ts';
import { removeUnconfirmed } from './remove-unconfirmed.ts';

/**
 * Gives an address to an account whose owner has proved it, before the pool has it. An account that only
 * typed it is deleted. False, and nothing is changed, if another account has proved it before.
 *
 * Until the pool has the address, an account that proves it at the same time takes it over. So the caller
 * claims it again (`claimAddress`) when the pool has it.
 */
export async function takeAddress(
  dependencies: AddressDependencies,
  email: string,
  username: string,
): Promise<boolean> {
  const named = await dependencies.pool.find(email);
  if (named && named.username !== username) {
    if (!isUnconfirmed(named, email) || !(await removeUnconfirmed(dependencies, named))) return false;
  }
  return (await claimAddress(dependencies, email, username)).kind === 'claimed';
}

/** Whether another account than `username` has proved this address. Typing an address proves nothing. */
export async function isTaken(
  { pool, addresses }: { pool: Pick<UserPool, 'find'>; addresses: Pick<Addresses, 'ownerOf'> },
  email: string,
  username: string,
): Promise<boolean> {
  const [named, owner] = await Promise.all([pool.find(email), addresses.ownerOf(email)]);
  if (named && named.username !== username && !isUnconfirmed(named, email)) return true;
  if (owner === undefined || owner === username || isRemovalMark(owner)) return false;
  // A provider's account isn't found by its address.
  const account = owner === named?.username ? named : await pool.find(owner);
  return account !== undefined && holdsAddress(account, email);
}
