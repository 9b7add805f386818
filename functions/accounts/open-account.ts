import type { Uses } from '../adapters/adapters.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import { type Account, isUnconfirmed } from '../domain/account-linking.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { Refusal } from '../runtime/refusal.ts';
import { claimAddress } from './address-ownership.ts';

type OpenDependencies = Uses<'addresses' | 'planTable'> & { pool: AccountPool };

/**
 * Sets the password of the account of a proved address, and confirms it if it waits for that. `name`:
 * replaces an unconfirmed account's, which anyone may have typed. Safe to repeat. Refuses as `address-taken`.
 */
export async function setPasswordOf(
  dependencies: OpenDependencies,
  account: Account,
  { email, password, name = '' }: { email: string; password: string; name?: string },
  now: Date,
): Promise<void> {
  const { pool } = dependencies;
  const { username } = account;
  const isPending = isUnconfirmed(account, email);
  // Verified first: an account that fails here stays unconfirmed, and the link works again.
  if (isPending || !account.emailVerified) await pool.verify(username, isPending ? name : undefined);
  // A permanent password confirms the account. Until then nobody can sign in.
  await pool.setPassword(username, password);
  await finishConfirmation(dependencies, account, email, now);
}

/**
 * Claims the address of a confirmed account, and opens its row. Deletes an account that was just confirmed if
 * another has proved the address meanwhile. Safe to repeat.
 */
export async function finishConfirmation(
  { pool, addresses, planTable }: OpenDependencies,
  { sub, username, status }: Account,
  email: string,
  now: Date,
): Promise<void> {
  const { kind } = await claimAddress({ pool, addresses }, email, username);
  if (kind !== 'claimed') {
    // An account that is about to be removed as never confirmed must not stay without its address.
    if (kind === 'being-removed' || status !== 'CONFIRMED') await pool.remove(username);
    throw new Refusal(kind === 'taken' ? 'address-taken' : 'busy');
  }
  await planTable.open(sub, now, { address: asciiLowerCase(email) });
}
