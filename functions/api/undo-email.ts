import type { AddressChange, EarlierAddress } from '../../schemas/rows/address-change.ts';
import { endpoint } from '../../schemas/routes/undo-email.ts';
import { addressAdapters } from '../accounts/address-adapters.ts';
import { assignAddress, type AssignmentDependencies, confirmAddress } from '../accounts/address-ownership.ts';
import { readUndoToken } from '../accounts/address-secrets.ts';
import { propagateAddress, type PropagationDependencies } from '../accounts/propagate-address.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Mail } from '../adapters/ses.ts';
import { type Account, holdsAddress } from '../domain/account-linking.ts';
import { earlierBy, noChanges, undoFinished, undone } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangeUndoneEmail } from '../emails/email-change-undone.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends PropagationDependencies {
  plans: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: AssignmentDependencies['addresses'];
  pool: AccountPool;
  mail: Mail;
}

type Outcome = 'restored' | 'locked';

/**
 * Restores an account's earlier address for the holder of the link that was mailed to that address. First
 * locks out whoever changed the address: the password, linked providers and all sessions are removed, and the
 * account is disabled until the address is restored and a link for a new password is in its mailbox. Every
 * step is safe to repeat, and the link works until all steps are done.
 *
 * If another account has proved the address since, the address can't be restored. The account stays disabled,
 * and its current address is no longer trusted.
 */
export const undoEmail = (dependencies: Dependencies) => {
  const { addressChanges, pool } = dependencies;
  return route(endpoint, async ({ token }, { now }): Promise<{ outcome: Outcome }> => {
    const read = readUndoToken(token);
    if (!read) throw refusal('undo-not-possible');
    const { id, hash } = read;
    const known = (await addressChanges.read(id)) ?? noChanges(id);
    const earlier = earlierBy(known, hash, now);
    const account = earlier && (await pool.find(id));
    // An account that support disabled stays disabled.
    if (!account || (!account.enabled && !known.locked)) throw refusal('undo-not-possible');

    // Written before the pool is changed: a change that is under way reads this item and yields.
    const undo = (change: AddressChange): AddressChange => {
      const next = undone(change, hash, now);
      if (!next) throw refusal('undo-not-possible');
      return next;
    };
    const finish = (change: AddressChange): AddressChange => {
      const next = undoFinished(change, hash, now);
      if (!next) throw refusal('busy');
      return next;
    };
    const written = await updateAddressChange(addressChanges, id, undo, known);
    if (account.enabled) await lockOut(pool, account);
    const outcome = await setBack(dependencies, id, earlier);
    if (outcome === 'restored') {
      const failures = await attemptAll([
        () => reopen(pool, id, earlier),
        () => propagateUndo(dependencies, id, { from: written?.replaced ?? [], to: earlier.email }, now),
      ]);
      if (failures.length > 0) throw failures[0];
      await updateAddressChange(addressChanges, id, finish);
    }
    // After `locked` the link stays valid: it works once the other account is gone.
    log.info('address-change-undone', { user: id, outcome });
    return { outcome };
  });
};

/**
 * Ends every way to sign in that whoever changed the address may have. An account whose address can be
 * changed has no provider, so any linked provider came with a later address. The account is disabled last, so
 * a disabled account has been through every step: Cognito doesn't document which calls it refuses for a
 * disabled account.
 */
async function lockOut(pool: AccountPool, { username, identities }: Account): Promise<void> {
  const failures = await attemptAll([
    () => pool.discardPassword(username),
    ...identities.map((identity) => () => pool.unlink(identity)),
    () => pool.endSessions(username),
  ]);
  if (failures.length > 0) throw failures[0];
  await pool.disable(username);
}

/** Resolves with whether the account has its earlier address again, or another account has that address. */
async function setBack(dependencies: Dependencies, id: string, { email }: EarlierAddress): Promise<Outcome> {
  const assignment = await assignAddress(dependencies, id, email);
  if (assignment === 'assigned') return 'restored';
  if (assignment === 'taken') {
    await dependencies.pool.setAddressUnverified(id);
    return 'locked';
  }
  // A change, or the link to a still earlier address, came first.
  await confirmAddress(dependencies, id);
  throw refusal('busy');
}

/**
 * Enables the account and mails its address a link for a new password. Between the two, a code that was
 * mailed to the replaced address may set a password. So after the new code, which voids that one, the account
 * gets a random password and all sessions end. The random password also confirms the account again, since an
 * administrator's reset leaves the account unconfirmed.
 */
async function reopen(pool: AccountPool, id: string, earlier: EarlierAddress): Promise<void> {
  await requireRestored(pool, id, earlier);
  await pool.enable(id);
  try {
    await pool.sendReset(id);
  } catch (error) {
    await pool.disable(id);
    throw error;
  }
  await pool.discardPassword(id);
  await pool.endSessions(id);
  const { enabled } = await requireRestored(pool, id, earlier);
  if (!enabled) throw new Error('The account is still disabled after it was enabled.');
}

/** Unlinks providers that were linked meanwhile. Throws unless the account has its earlier address. */
async function requireRestored(pool: AccountPool, id: string, { email }: EarlierAddress): Promise<Account> {
  const account = await pool.find(id);
  for (const identity of account?.identities ?? []) await pool.unlink(identity);
  if (!account || !holdsAddress(account, email)) {
    throw new Error('The account does not have the restored address.');
  }
  return account;
}

/** Repeated by every undo, since nothing records how far an earlier undo got. */
async function propagateUndo(
  dependencies: Dependencies,
  id: string,
  change: { from: readonly string[]; to: string },
  now: Date,
): Promise<void> {
  const { plans, mail } = dependencies;
  const row = await plans.read(id);
  const customerId = row && customerIdOf(row);
  await Promise.all([
    propagateAddress(dependencies, { id, customerId }, change, now),
    ...change.from.map((email) => notify(mail, email, emailChangeUndoneEmail({ at: now }))),
  ]);
}

export const handler = withEnvironment(endpoint, (environment) => undoEmail(addressAdapters(environment)));
