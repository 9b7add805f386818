import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { log } from '../runtime/log.ts';

interface LookUpDependencies {
  addresses: Pick<Addresses, 'ownerOf'>;
  pool: Pick<AccountPool, 'find'>;
}

/**
 * Whether another account than `username` has proved this address. Never true for an account whose address
 * was never confirmed: typing an address proves nothing.
 */
export async function isTaken(
  { addresses, pool }: LookUpDependencies,
  email: string,
  username: string,
): Promise<boolean> {
  const [byAddress, owner] = await Promise.all([pool.find(email), addresses.ownerOf(email)]);
  if (byAddress && byAddress.username !== username && !byAddress.isUnconfirmed) return true;
  if (owner === undefined || owner === username || owner === byAddress?.username) return false;
  // A provider's account isn't found by its address.
  return (await pool.find(owner))?.email === email;
}

export interface ClaimDependencies {
  addresses: Addresses;
  pool: Pick<AccountPool, 'find' | 'delete'>;
}

/**
 * Gives an address to the account of somebody who has proved it. An account that only typed it is deleted.
 * False, and nothing is changed, if another account has proved it before.
 */
export async function claimAddress(
  { addresses, pool }: ClaimDependencies,
  email: string,
  username: string,
): Promise<boolean> {
  if (!(await claim({ addresses, pool }, email, username))) return false;
  const holder = await pool.find(email);
  if (!holder || holder.username === username) return true;
  if (!holder.isUnconfirmed) {
    await releaseAddress(addresses, email, username);
    return false;
  }
  await pool.delete(holder.username);
  return true;
}

async function claim({ addresses, pool }: ClaimDependencies, email: string, username: string) {
  if (await addresses.claim(email, username)) return true;
  const owner = await addresses.ownerOf(email);
  // The owner was deleted, or has moved on, and releasing the address failed.
  const isStale = owner !== undefined && (await pool.find(owner))?.email !== email;
  return isStale && addresses.claim(email, username, owner);
}

/** A failure is only logged: whoever claims the address next finds that its owner has another one. */
export async function releaseAddress(
  addresses: Pick<Addresses, 'release'>,
  email: string,
  username: string,
): Promise<void> {
  try {
    await addresses.release(email, username);
  } catch (error) {
    log.error('address-not-followed', { user: username, step: 'release' }, error);
  }
}
