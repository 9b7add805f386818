/*
 * Takes an account from whoever has it, and gives it to the mailbox of one of its addresses. Every step is
 * safe to repeat. Only for the request that has the turn: two at once would disable what the other enables.
 */
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import { type Account, hasPassword, holdsAddress, type Identity } from '../domain/account-linking.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { assignAddress, type AssignmentDependencies, confirmAddress } from './address-ownership.ts';
import { Refusal } from '../runtime/refusal.ts';

interface TakeBackDependencies extends AssignmentDependencies {
  pool: AccountPool;
}

interface TakeBack {
  /** An account with a password: its `sub` is its user name. */
  account: Account;
  /** The address that gets the account. */
  email: string;
  isTakenOff: (identity: Identity) => boolean;
}

/**
 * Locks out everybody, gives the account the address, and mails a link for a new password to it. Resolves
 * with false if another account has proved the address since: then the account stays disabled, and its
 * present address is no longer trusted.
 */
export async function takeBack(dependencies: TakeBackDependencies, goal: TakeBack): Promise<boolean> {
  const { pool } = dependencies;
  await lockOut(pool, goal);
  if (!(await setBack(dependencies, goal))) return false;
  await reopen(pool, goal);
  return true;
}

/** Ends every session, and the ways to sign in that a thief may have added. */
export async function removeWaysIn(
  pool: AccountPool,
  account: Account,
  isTakenOff: (identity: Identity) => boolean,
): Promise<void> {
  const { username, identities } = account;
  const failures = await attemptAll([
    ...(hasPassword(account) ? [() => pool.discardPassword(username)] : []),
    ...identities.filter(isTakenOff).map((identity) => () => pool.unlink(identity)),
    () => pool.endSessions(username),
  ]);
  if (failures.length > 0) throw failures[0];
}

/** Removes the ways in, and disables the account until it has its address. */
async function lockOut(pool: AccountPool, { account, isTakenOff }: TakeBack): Promise<void> {
  // Cognito doesn't document which calls it refuses for a disabled account.
  if (!account.enabled) await pool.enable(account.username);
  await removeWaysIn(pool, account, isTakenOff);
  await pool.disable(account.username);
}

/** Resolves with whether the account has its address, or another account has it. */
async function setBack(
  dependencies: TakeBackDependencies,
  { account: { username }, email }: TakeBack,
): Promise<boolean> {
  const assignment = await assignAddress(dependencies, username, email);
  if (assignment === 'assigned') return true;
  if (assignment === 'taken') {
    await dependencies.pool.setAddressUnverified(username);
    return false;
  }
  // A change, or the link to a still earlier address, came first.
  await confirmAddress(dependencies, username);
  throw new Refusal('undo-under-way');
}

/**
 * Enables the account and mails its address a link for a new password. Between the two, a code that was
 * mailed to the replaced address may set a password. So after the new code, which voids that one, the account
 * gets a random password and all sessions end. The random password also confirms the account again, since an
 * administrator's reset leaves the account unconfirmed.
 */
async function reopen(pool: AccountPool, goal: TakeBack): Promise<void> {
  const { username } = goal.account;
  await requireRestored(pool, goal);
  await pool.enable(username);
  try {
    await pool.sendReset(username);
  } catch (error) {
    await pool.disable(username);
    throw error;
  }
  await pool.discardPassword(username);
  await pool.endSessions(username);
  const { enabled } = await requireRestored(pool, goal);
  if (!enabled) throw new Error('The account is still disabled after it was enabled.');
}

/** Unlinks providers that were linked meanwhile. Throws unless the account has its address. */
async function requireRestored(
  pool: AccountPool,
  { account: { username }, email, isTakenOff }: TakeBack,
): Promise<Account> {
  const account = await pool.find(username);
  for (const identity of account?.identities.filter(isTakenOff) ?? []) await pool.unlink(identity);
  if (!account || !holdsAddress(account, email)) {
    throw new Error('The account does not have the restored address.');
  }
  return account;
}
