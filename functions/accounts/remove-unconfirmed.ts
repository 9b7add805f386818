import { type Account, isUnconfirmed } from '../domain/account-linking.ts';
import { removalMark } from '../domain/removal-mark.ts';
import { type AddressDependencies, claimAddress } from './claim-address.ts';

/**
 * Deletes an account that was never confirmed. Resolves with false, and deletes nothing, if it has been
 * confirmed meanwhile.
 *
 * Cognito can't delete under a condition, so the Addresses table decides between the deletion and a
 * confirmation at the same moment. Both write the address there: the deletion a mark, the confirmation the
 * account (`functions/triggers/post-confirmation.ts`). If the mark comes first, the confirmation is refused.
 */
export async function removeUnconfirmed(
  dependencies: AddressDependencies,
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

/** The same for an account that was read some time ago, or not at all. */
export async function removeIfUnconfirmed(
  dependencies: AddressDependencies,
  username: string,
): Promise<boolean> {
  const account = await dependencies.pool.find(username);
  const email = account?.email;
  if (!account || email === undefined || !isUnconfirmed(account, email)) return false;
  return removeUnconfirmed(dependencies, account);
}

/**
 * Deletes an account that was never confirmed, so that its address can sign up again. Resolves with false
 * only if the account stays. Cognito repeats a call of a trigger that took too long, so it may be gone.
 */
export async function removeForSignUp(dependencies: AddressDependencies, username: string): Promise<boolean> {
  if (await removeIfUnconfirmed(dependencies, username)) return true;
  return (await dependencies.pool.find(username)) === undefined;
}
