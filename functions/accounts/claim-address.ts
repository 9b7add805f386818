import type { UserPool } from '../adapters/cognito/user-pool.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { type Account, holdsAddress } from '../domain/account-linking.ts';
import { isRemovalMark, removalMark } from '../domain/removal-mark.ts';

export interface AddressDependencies {
  pool: Pick<UserPool, 'find' | 'remove'>;
  addresses: Pick<Addresses, 'claim' | 'ownerOf' | 'release'>;
}

type Claim =
  | { kind: 'claimed' }
  | { kind: 'taken'; by: Account }
  /** The account is about to be deleted as never confirmed. */
  | { kind: 'being-removed' };

// Each try loses only to another account that got the address in between.
const TRIES = 3;

/**
 * Gives the address to an account, if no other living account holds it. An owner that is gone, or has another
 * address by now, is replaced: releasing an address can fail.
 */
export async function claimAddress(
  { pool, addresses }: Pick<AddressDependencies, 'addresses'> & { pool: Pick<UserPool, 'find'> },
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
    // A provider's account gets the same user name when its user comes back. If that happened meanwhile, it
    // was there first.
    const back = await holder();
    if (!back) return { kind: 'claimed' };
    await addresses.claim(email, owner, username);
    return { kind: 'taken', by: back };
  }
  throw new Error('The address changed its owner again and again.');
}
