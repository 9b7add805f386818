import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { holdsAddress } from '../domain/account-linking.ts';
import { Refusal } from '../runtime/refusal.ts';
import { claimAddress } from './claim-address.ts';
import { takeAddress } from './take-address.ts';

export interface GivingDependencies {
  pool: Pick<AccountPool, 'find' | 'setAddress' | 'remove' | 'distrustAddress'>;
  addresses: Addresses;
  addressChanges: Pick<AddressChangesTable, 'read'>;
}

/** `taken`: another account has proved the address. `outdated`: the item names another address by now. */
type Given = 'given' | 'taken' | 'outdated';

// Each try loses only to a sign-up with the address at the same moment, or to Cognito being out of reach.
const TRIES = 3;

/**
 * Gives an account the address that its item of AddressChanges names as `current`: claims it, sets it in the
 * pool, and looks at both once more. After `taken` and `outdated` the pool may have the address all the same:
 * `settleAddress` or a lock has to follow. Throws if Cognito's answer leaves open what the pool has.
 */
export async function giveAddress(
  dependencies: GivingDependencies,
  id: string,
  email: string,
): Promise<Given> {
  const { pool, addresses, addressChanges } = dependencies;
  const isCurrent = async () => (await addressChanges.read(id))?.current === email;
  let failure: unknown = new Refusal('busy');
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (!(await takeAddress(dependencies, email, id))) return 'taken';
    if (!(await isCurrent())) return 'outdated';
    try {
      if (!(await pool.setAddress(id, email))) continue;
    } catch (error) {
      failure = error;
      // The address may be set, and only the answer lost.
      const account = await pool.find(id);
      if (!account || !holdsAddress(account, email)) continue;
    }
    if ((await claimAddress({ pool, addresses }, email, id)).kind !== 'claimed') return 'taken';
    return (await isCurrent()) ? 'given' : 'outdated';
  }
  throw failure;
}

/**
 * Gives an account the address that its item names, after an attempt with another one. If that fails, the
 * pool may have an address that isn't the account's: it isn't trusted any more, and this throws.
 */
export async function settleAddress(dependencies: GivingDependencies, id: string): Promise<void> {
  const { pool, addressChanges } = dependencies;
  let failure: unknown = new Error('The account cannot have the address that it should have.');
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const email = (await addressChanges.read(id))?.current;
      const given = email === undefined ? 'taken' : await giveAddress(dependencies, id, email);
      if (given === 'given') return;
      if (given === 'taken') break;
    }
  } catch (error) {
    failure = error;
  }
  await pool.distrustAddress(id);
  throw failure;
}
