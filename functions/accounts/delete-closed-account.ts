import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Account } from '../domain/account-linking.ts';
import type { Notice } from '../emails/layout.ts';
import { notify } from '../notices/notify.ts';
import { attempt } from '../runtime/attempt.ts';
import { type RemovalTables, removeData } from './personal-data.ts';
import { endBilling, type EndBillingDependencies } from '../plans/end-billing.ts';

export type DeletionDependencies = EndBillingDependencies & RemovalTables & Uses<'planTable' | 'mail'>;

/** An account whose row is closed: it accepts no new customer or checkout. */
export interface ClosedAccount {
  row: UserPlan;
  /** The account in the user pool. Its address, if proved, is mailed, and then free for another one. */
  user: Account | undefined;
  /** Only if the row still has this `idle_due_at`. */
  idleDueAt?: string | undefined;
  /** Time of the request. Payments since then are refunded. @default now */
  since?: Date;
  /** Resolves with whether this call deleted the user: false if the user is gone. */
  deleteUser: () => Promise<boolean>;
  notice: (subscriptionEnded: boolean) => Notice;
}

/**
 * Deletes an account whose row is closed. Every step is safe to repeat. Billing stops with step 1:
 *
 * 1. end the billing at Stripe: checkout, subscriptions, customer; enqueue a task for what Stripe refuses;
 * 2. clear the row, which stays closed: a request from another tab finds it and opens no new row;
 * 3. delete the user from the pool: the last token stops working;
 * 4. remove the row: a later request asks the pool first and is refused;
 * 5. remove what other tables have (`personal-data.ts`), and send the mail.
 *
 * Only the request that deletes the user does step 5: later, the owner may have a new account with the
 * address. `isDeleted`: false if the user has signed in, which keeps the account. `mailSent`: also true if
 * another request at the same time sends the mail.
 */
export async function deleteClosedAccount(
  dependencies: DeletionDependencies,
  account: ClosedAccount,
  now: Date,
) {
  const { planTable, addresses, addressChanges, appSessions, mail, ...ending } = dependencies;
  const { row, user, idleDueAt, since, deleteUser, notice } = account;
  const email = user?.emailVerified ? user.email : undefined;
  const subscriptionEnded = await endBilling(ending, row, now, since);
  const isCleared = await planTable.clear(row.id, idleDueAt);
  if (idleDueAt !== undefined && !isCleared) return { isDeleted: false, subscriptionEnded, mailSent: false };
  const isDeletedHere = await deleteUser();
  // The row has only an id and times by now, and the schedule of idle accounts removes it after a year.
  await attempt('row-not-removed', { user: row.id }, () => planTable.remove(row.id));
  if (!isDeletedHere) return { isDeleted: true, subscriptionEnded, mailSent: true };
  const [mailSent] = await Promise.all([
    notify(mail, email, notice(subscriptionEnded)),
    removeData(
      { addresses, addressChanges, appSessions },
      { id: row.id, username: user?.username ?? row.id, email },
    ),
  ]);
  return { isDeleted: true, subscriptionEnded, mailSent };
}
