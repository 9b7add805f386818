import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { AppSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Mail } from '../adapters/ses.ts';
import type { Notice } from '../emails/layout.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { releaseAddress } from './address-ownership.ts';
import { endBilling, type EndBillingDependencies } from '../plans/end-billing.ts';

export interface DeletionDependencies extends EndBillingDependencies {
  plans: Pick<PlansTable, 'clear' | 'remove'>;
  addresses: Pick<Addresses, 'release'>;
  addressChanges: Pick<AddressChangesTable, 'remove'>;
  appSessions: Pick<AppSessionsTable, 'removeAll'>;
  mail: Mail;
}

/** An account whose row is closed: it takes on no customer and no checkout. */
export interface ClosedAccount {
  row: UserPlan;
  /** In the user pool. */
  username: string;
  /**
   * Gets the mail about the deletion, and is then free for another account. Undefined if it was never proved.
   */
  email: string | undefined;
  /** Only if the row still has this `idle_due_at`. */
  idleDueAt?: string | undefined;
  /** Time of the request. Payments since then are refunded. @default now */
  since?: Date;
  /** Resolves with whether this call deleted the user: false if the user is gone. */
  deleteUser: () => Promise<boolean>;
  notice: (subscriptionEnded: boolean) => Notice;
}

export interface Deletion {
  /** False if the user has signed in, which keeps the account. */
  isDeleted: boolean;
  subscriptionEnded: boolean;
  /** Also true if another request at the same time sends the mail. */
  mailSent: boolean;
}

/**
 * Deletes an account whose row is closed. Every step is safe to repeat. Billing stops with step 1:
 *
 * 1. end the billing at Stripe: checkout, subscriptions, customer; enqueue a task for what Stripe refuses;
 * 2. clear the row, which stays closed: a request from another tab finds it and opens no new row;
 * 3. delete the user from the pool: the last token stops working;
 * 4. remove the row: a later request asks the pool first and is refused;
 * 5. release the address, remove its changes and the list of apps, and send the mail.
 *
 * Among concurrent requests, the one that deletes the user does step 5. For the others it may be too
 * late: the owner may already have a new account with the address.
 */
export async function deleteClosedAccount(
  dependencies: DeletionDependencies,
  account: ClosedAccount,
  now: Date,
): Promise<Deletion> {
  const { plans, addresses, addressChanges, appSessions, mail, ...ending } = dependencies;
  const { row, username, email, idleDueAt, since, deleteUser, notice } = account;
  const subscriptionEnded = await endBilling(ending, row, now, since);
  const isCleared = await plans.clear(row.id, idleDueAt);
  if (idleDueAt !== undefined && !isCleared) return { isDeleted: false, subscriptionEnded, mailSent: false };
  const isDeletedHere = await deleteUser();
  await removeRow(plans, row.id);
  if (!isDeletedHere) return { isDeleted: true, subscriptionEnded, mailSent: true };
  const [mailSent] = await Promise.all([
    notify(mail, email, notice(subscriptionEnded)),
    removeOther(() => addressChanges.remove(row.id), row.id),
    removeOther(() => appSessions.removeAll(row.id), row.id),
    email === undefined ? undefined : releaseAddress(addresses, row.id, { email, username }),
  ]);
  return { isDeleted: true, subscriptionEnded, mailSent };
}

async function removeRow(plans: Pick<PlansTable, 'remove'>, id: string): Promise<void> {
  try {
    await plans.remove(id);
  } catch (error) {
    // The account is gone, so the user can't try again. The remaining row holds only an id, the time of its
    // last sign-in, and the ends of sessions. The schedule of idle accounts removes the row after a year.
    log.error('row-not-removed', { user: id }, error);
  }
}

/**
 * Removes items that expire by themselves: changes of address in seven days, unless a provider was taken off,
 * apps' sessions in sixty, and browsers in a year.
 */
async function removeOther(remove: () => Promise<void>, user: string): Promise<void> {
  try {
    await remove();
  } catch (error) {
    log.error('row-not-removed', { user }, error);
  }
}
