import type { UserPlan } from '../../schemas/plan.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Mail } from '../adapters/ses.ts';
import type { Notice } from '../emails/layout.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { endBilling, type EndBillingDependencies } from './end-billing.ts';

export interface DeletionDependencies extends EndBillingDependencies {
  plans: Pick<PlansTable, 'clear' | 'remove'>;
  mail: Mail;
}

/** An account whose row is closed: it takes on no customer and no checkout. */
export interface ClosedAccount {
  row: UserPlan;
  /** The address that is told of the deletion. */
  email: string | undefined;
  /** Only if the row still has this `idle_due_at`. */
  idleDueAt?: string | undefined;
  deleteUser: () => Promise<void>;
  notice: (subscriptionEnded: boolean) => Notice;
}

export interface Deletion {
  /** False if somebody has signed in, which keeps the account. */
  isDeleted: boolean;
  subscriptionEnded: boolean;
  mailSent: boolean;
}

/**
 * Deletes an account whose row is closed. Each step can be repeated. Nothing is billed once step 1 is done:
 *
 * 1. end the billing at Stripe: checkout, subscriptions, customer; what Stripe refuses is left as a task;
 * 2. clear the row, which stays closed: a request from another tab finds it and opens no new row;
 * 3. delete the user from the pool: the last token stops working;
 * 4. remove the row: a later request asks the pool first and is refused.
 */
export async function deleteClosedAccount(
  { plans, mail, ...ending }: DeletionDependencies,
  { row, email, idleDueAt, deleteUser, notice }: ClosedAccount,
  now: Date,
): Promise<Deletion> {
  const subscriptionEnded = await endBilling(ending, row, now);
  const isCleared = await plans.clear(row.id, idleDueAt);
  if (idleDueAt !== undefined && !isCleared) return { isDeleted: false, subscriptionEnded, mailSent: false };
  await deleteUser();
  const [mailSent] = await Promise.all([
    notify(mail, email, notice(subscriptionEnded)),
    removeRow(plans, row.id),
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
