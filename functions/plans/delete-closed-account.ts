import type { UserPlan } from '../../schemas/plan.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Mail } from '../adapters/ses.ts';
import type { Notice } from '../emails/layout.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { releaseAddress } from '../accounts/release-address.ts';
import { endBilling, type EndBillingDependencies } from './end-billing.ts';

export interface DeletionDependencies extends EndBillingDependencies {
  plans: Pick<PlansTable, 'clear' | 'remove'>;
  addresses: Pick<Addresses, 'release'>;
  addressChanges: Pick<AddressChangesTable, 'remove'>;
  mail: Mail;
}

/** An account whose row is closed: it takes on no customer and no checkout. */
export interface ClosedAccount {
  row: UserPlan;
  /** In the user pool. */
  username: string;
  /** Told of the deletion, and then is free for another account. Undefined without a proof. */
  email: string | undefined;
  /** Only if the row still has this `idle_due_at`. */
  idleDueAt?: string | undefined;
  /** Resolves with whether this call deleted the user: false if the user is gone. */
  deleteUser: () => Promise<boolean>;
  notice: (subscriptionEnded: boolean) => Notice;
}

export interface Deletion {
  /** False if somebody has signed in, which keeps the account. */
  isDeleted: boolean;
  subscriptionEnded: boolean;
  /** Also true if another request at the same time sends the mail. */
  mailSent: boolean;
}

/**
 * Deletes an account whose row is closed. Each step can be repeated. Nothing is billed once step 1 is done:
 *
 * 1. end the billing at Stripe: checkout, subscriptions, customer; what Stripe refuses is left as a task;
 * 2. clear the row, which stays closed: a request from another tab finds it and opens no new row;
 * 3. delete the user from the pool: the last token stops working;
 * 4. remove the row: a later request asks the pool first and is refused;
 * 5. release the address, remove its changes, and send the mail.
 *
 * Of requests at once, the one that deletes the user does step 5. The others may be late: the owner may have
 * a new account with the address by then.
 */
export async function deleteClosedAccount(
  dependencies: DeletionDependencies,
  account: ClosedAccount,
  now: Date,
): Promise<Deletion> {
  const { plans, addresses, addressChanges, mail, ...ending } = dependencies;
  const { row, username, email, idleDueAt, deleteUser, notice } = account;
  const subscriptionEnded = await endBilling(ending, row, now);
  const isCleared = await plans.clear(row.id, idleDueAt);
  if (idleDueAt !== undefined && !isCleared) return { isDeleted: false, subscriptionEnded, mailSent: false };
  const isDeletedHere = await deleteUser();
  await removeRow(plans, row.id);
  if (!isDeletedHere) return { isDeleted: true, subscriptionEnded, mailSent: true };
  const [mailSent] = await Promise.all([
    notify(mail, email, notice(subscriptionEnded)),
    removeChanges(addressChanges, row.id),
    email === undefined ? undefined : releaseAddress(addresses, row.id, { email, username }),
  ]);
  return { isDeleted: true, subscriptionEnded, mailSent };
}

async function removeRow(plans: Pick<PlansTable, 'remove'>, id: string): Promise<void> {
  try {
    await plans.remove(id);
  } catch (error) {
    // The account is gone, so nobody can try again. The row that is left holds nothing but an id, and when
    // its last sign-in was. The schedule of idle accounts removes it after a year.
    log.error('row-not-removed', { user: id }, error);
  }
}

async function removeChanges(changes: Pick<AddressChangesTable, 'remove'>, id: string): Promise<void> {
  try {
    await changes.remove(id);
  } catch (error) {
    // They expire within seven days.
    log.error('row-not-removed', { user: id }, error);
  }
}
