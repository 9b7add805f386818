import type { UserPool } from '../adapters/cognito/user-pool.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { type Account, holdsAddress } from '../domain/account-linking.ts';
import { isRemovalMark } from '../domain/removal-mark.ts';

export interface HolderDependencies {
  addresses: Pick<Addresses, 'ownerOf'>;
  pool: Pick<UserPool, 'find'>;
}

/** The account that has proved the address and still has it. */
export async function holderOf(
  { addresses, pool }: HolderDependencies,
  email: string,
): Promise<Account | undefined> {
  const owner = await addresses.ownerOf(email);
  const account = owner === undefined || isRemovalMark(owner) ? undefined : await pool.find(owner);
  return account && holdsAddress(account, email) ? account : undefined;
}
