import type { AddressChange, EarlierAddress } from '../../schemas/address-change.ts';
import { endpoint } from '../../schemas/routes/undo-email.ts';
import { readUndoToken } from '../accounts/address-secrets.ts';
import { changeItem } from '../accounts/change-item.ts';
import { followAddress, type FollowDependencies } from '../accounts/follow-address.ts';
import { giveAddress, settleAddress } from '../accounts/give-address.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { type Account, holdsAddress } from '../domain/account-linking.ts';
import { earlierBy, noChanges, withUndoDone, withUndone } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangeUndoneEmail } from '../emails/email-change-undone.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends FollowDependencies {
  plans: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Addresses;
  pool: AccountPool;
  mail: Mail;
}

type Outcome = 'restored' | 'locked';

/**
 * Sets an account's earlier address back, for the holder of the link that was mailed to it. Whoever changed
 * the address is locked out first: the password, linked providers and every session go, and the account is
 * disabled until the address is back and its mailbox has got a link for a new password. Each step can be
 * repeated, and the link works until all are done.
 *
 * If another account has proved the address since, it can't be set back. The account stays disabled, and its
 * present address isn't trusted any more.
 */
export const undoEmail = (dependencies: Dependencies) => {
  const { addressChanges, pool } = dependencies;
  return route(endpoint, async ({ token }, { now }): Promise<{ outcome: Outcome }> => {
    const read = readUndoToken(token);
    if (!read) throw new Refusal('undo-not-possible');
    const { id, hash } = read;
    const known = (await addressChanges.read(id)) ?? noChanges(id);
    const undone = earlierBy(known, hash, now);
    const account = undone && (await pool.find(id));
    // An account that support has disabled stays so.
    if (!account || (!account.enabled && !known.locked)) throw new Refusal('undo-not-possible');

    // Before the pool is changed: a change that is under way finds it, and yields.
    const undo = (change: AddressChange): AddressChange => {
      const entry = earlierBy(change, hash, now);
      if (!entry) throw new Refusal('undo-not-possible');
      return withUndone(change, entry, now);
    };
    const written = await changeItem(addressChanges, id, undo, known);
    if (account.enabled) await lockOut(pool, account);
    const outcome = await setBack(dependencies, id, undone);
    if (outcome === 'restored') {
      const failures = await attemptAll([
        () => reopen(pool, id, undone),
        () => followUndo(dependencies, id, { from: written?.replaced ?? [], to: undone.email }, now),
      ]);
      if (failures.length > 0) throw failures[0];
      await changeItem(addressChanges, id, (change) => {
        const entry = earlierBy(change, hash, now);
        if (!entry || change.current !== undone.email) throw new Refusal('busy');
        return withUndoDone(change, entry, now);
      });
    }
    // After `locked`, the link stays: it works once the other account is gone.
    log.info('address-change-undone', { user: id, outcome });
    return { outcome };
  });
};

/**
 * Ends every way to sign in that whoever changed the address may have. An account whose address can be
 * changed has no provider. Any that is linked came with a later address. Disables the account last, so that a
 * disabled one has been through all of it: what Cognito refuses for a disabled account isn't documented.
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

/** Resolves with whether the account has its earlier address again, or another account has it. */
async function setBack(dependencies: Dependencies, id: string, { email }: EarlierAddress): Promise<Outcome> {
  const given = await giveAddress(dependencies, id, email);
  if (given === 'given') return 'restored';
  if (given === 'taken') {
    await dependencies.pool.distrustAddress(id);
    return 'locked';
  }
  // A change, or the link to a still earlier address, was faster.
  await settleAddress(dependencies, id);
  throw new Refusal('busy');
}

/**
 * Enables the account and mails its address a link for a new password. Between the two, a code that the
 * replaced address was mailed before may set a password. So the new code, which voids it, is followed by a
 * random password and by the end of all sessions. That password also makes the account confirmed again, which
 * a reset of an administrator doesn't leave it.
 */
async function reopen(pool: AccountPool, id: string, undone: EarlierAddress): Promise<void> {
  await requireRestored(pool, id, undone);
  await pool.enable(id);
  try {
    await pool.sendReset(id);
  } catch (error) {
    await pool.disable(id);
    throw error;
  }
  await pool.discardPassword(id);
  await pool.endSessions(id);
  const { enabled } = await requireRestored(pool, id, undone);
  if (!enabled) throw new Error('The account was disabled while it was enabled.');
}

/** Unlinks providers that were linked meanwhile. Throws unless the account has its earlier address. */
async function requireRestored(pool: AccountPool, id: string, { email }: EarlierAddress): Promise<Account> {
  const account = await pool.find(id);
  for (const identity of account?.identities ?? []) await pool.unlink(identity);
  if (!account || !holdsAddress(account, email)) {
    throw new Error('The account has another address than the one that was set back.');
  }
  return account;
}

/** Done again by each repeated undo: nothing tells how far an earlier one has come. */
async function followUndo(
  dependencies: Dependencies,
  id: string,
  change: { from: readonly string[]; to: string },
  now: Date,
): Promise<void> {
  const { plans, mail } = dependencies;
  const row = await plans.read(id);
  const customerId = row && customerIdOf(row);
  await Promise.all([
    followAddress(dependencies, { id, customerId }, change, now),
    ...change.from.map((email) => notify(mail, email, emailChangeUndoneEmail({ at: now }))),
  ]);
}

export const handler = withEnvironment(endpoint.needs, (environment) =>
  undoEmail({
    plans: plansTable(environment.PLANS_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    pool: cognitoAccountPool(environment.USER_POOL_ID),
    waitlist: waitlistTable(environment.WAITLIST_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
    mail: sesMail(environment),
  }),
);
