import type { UserPool } from '../adapters/cognito/user-pool.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { type Account, holdsAddress, isUnconfirmed } from '../domain/account-linking.ts';
import { isRemovalMark } from '../domain/removal-mark.ts';

export interface HolderDependencies {
  addresses: Pick<Addresses, 'ownerOf'>;
  pool: Pick<UserPool, 'find'>;
}

/**
 * The account that an address leads to now: the account that has proved it, or else an account that waits for
 * its confirmation.
 */
export async function holderOf(
  { addresses, pool }: HolderDependencies,
  email: string,
): Promise<Account | undefined> {
  const [named, owner] = await Promise.all([pool.find(email), addresses.ownerOf(email)]);
  // A provider's account isn't found by its address.
  const isOther = owner !== undefined && owner !== named?.username && !isRemovalMark(owner);
  const other = isOther ? await pool.find(owner) : undefined;
  if (other && holdsAddress(other, email)) return other;
  return named && (holdsAddress(named, email) || isUnconfirmed(named, email)) ? named : undefined;
}
