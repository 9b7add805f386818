import type { AddressChange, EarlierAddress } from '../../schemas/address-change.ts';
import { endpoint } from '../../schemas/routes/undo-email.ts';
import { readUndoToken } from '../accounts/address-secrets.ts';
import { changeItem } from '../accounts/change-item.ts';
import { type AddressDependencies, claimAddress } from '../accounts/claim-address.ts';
import { followAddress, type FollowDependencies } from '../accounts/follow-address.ts';
import { takeAddress } from '../accounts/take-address.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import type { Account } from '../domain/account-linking.ts';
import { earlierBy, noChanges, withoutEarlier, withUndone } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangeUndoneEmail } from '../emails/email-change-undone.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends Omit<FollowDependencies, 'addresses'>, AddressDependencies {
  plans: Pick<PlansTable, 'read'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  pool: AccountPool;
  mail: Mail;
}

/**
 * Sets an account's earlier address back, for the holder of the link that was mailed to it. Whoever changed
 * the address is locked out: the password, every session, codes that are under way and linked providers go.
 * Each step can be repeated, and the link works until all are done.
 *
 * If another account has proved the address since, it can't be set back. The account is locked all the same,
 * and its present address isn't trusted any more.
 */
export const undoEmail = (dependencies: Dependencies) => {
  const { addressChanges, pool } = dependencies;
  return route(endpoint, async ({ token }, { now }): Promise<{ outcome: 'restored' | 'locked' }> => {
    const read = readUndoToken(token);
    if (!read) throw new Refusal('undo-not-possible');
    const { id, hash } = read;
    const known = (await addressChanges.read(id)) ?? noChanges(id);
    const undone = earlierBy(known, hash, now);
    const account = undone && (await pool.find(id));
    if (!account) throw new Refusal('undo-not-possible');

    // Before the pool is changed: a change that is under way finds it, and yields.
    const undo = (change: AddressChange): AddressChange => {
      const entry = earlierBy(change, hash, now);
      if (!entry) throw new Refusal('undo-not-possible');
      return withUndone(change, entry, now);
    };
    const written = await changeItem(addressChanges, id, undo, known);
    const isSetBack = await setBack(dependencies, account, undone);
    const failures = await attemptAll([
      () => lockOut(pool, account, { sendsReset: isSetBack }),
      async () => isSetBack && followUndo(dependencies, account, undone, now),
    ]);
    if (failures.length > 0) throw failures[0];
    const outcome = isSetBack ? 'restored' : 'locked';
    log.info('address-change-undone', { user: id, outcome });
    // The link stays where it could not do all: it works once the other account is gone.
    if (outcome === 'locked') return { outcome };

    const useUp = (change: AddressChange): AddressChange | undefined => {
      const entry = earlierBy(change, hash, now);
      return entry && withoutEarlier(change, entry, now);
    };
    await changeItem(addressChanges, id, useUp, written);
    return { outcome };
  });
};

/** Does nothing where an earlier try has set the address back. */
async function followUndo(
  dependencies: Dependencies,
  { username: id, email }: Account,
  { email: to }: EarlierAddress,
  now: Date,
): Promise<void> {
  const from = email?.toLowerCase();
  if (from === undefined || from === to) return;
  const { plans, mail } = dependencies;
  const row = await plans.read(id);
  const customerId = row && customerIdOf(row);
  await Promise.all([
    followAddress(dependencies, { id, customerId }, { from, to }, now),
    notify(mail, from, emailChangeUndoneEmail({ at: now })),
  ]);
}

/** Resolves with whether the account has its earlier address again. */
async function setBack(
  dependencies: Dependencies,
  { username, email: present }: Account,
  { email }: EarlierAddress,
): Promise<boolean> {
  const { pool } = dependencies;
  if ((await takeAddress(dependencies, email, username)) && (await pool.setAddress(username, email))) {
    if ((await claimAddress(dependencies, email, username)).kind === 'claimed') return true;
    if (present !== undefined) await pool.setAddress(username, present);
  }
  await pool.distrustAddress(username);
  return false;
}

/**
 * Ends every way to sign in that whoever changed the address may have. The password comes after the reset:
 * the new code voids one that the present address was mailed, and the new password makes the account
 * confirmed again, which a reset of an administrator doesn't leave it.
 *
 * An account whose address can be changed has no provider. Any that is linked came with a later address.
 */
async function lockOut(
  pool: AccountPool,
  { username, identities }: Account,
  { sendsReset }: { sendsReset: boolean },
): Promise<void> {
  if (sendsReset) {
    try {
      await pool.sendReset(username);
    } catch (error) {
      // The page tells how to ask for the mail.
      log.error('address-not-followed', { user: username, step: 'reset-mail' }, error);
    }
  }
  const failures = await attemptAll([
    () => pool.discardPassword(username),
    ...identities.map((identity) => () => pool.unlink(identity)),
    () => pool.endSessions(username),
  ]);
  if (failures.length > 0) throw failures[0];
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
