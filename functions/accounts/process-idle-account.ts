import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Account } from '../domain/account-linking.ts';
import { closingUntil } from '../domain/closing.ts';
import {
  deletionAfter,
  dueAfterWarning,
  dueAgain,
  IDLE_WARNINGS,
  idleStep,
  nextYear,
  warningsOf,
} from '../domain/idle.ts';
import { customerIdOf } from '../domain/plan.ts';
import { hasEnded } from '../domain/subscription.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { accountIdleEmail } from '../emails/account-idle.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../notices/notify.ts';
import { deleteClosedAccount, type DeletionDependencies } from './delete-closed-account.ts';
import { lookForUser } from '../plans/end-orphaned-billing.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';

export type IdleDependencies = ReconcileDependencies &
  DeletionDependencies &
  Uses<'idle' | 'userPool' | 'siteUrl'> & { clock: () => Date };

/** `none`: nothing is due. `kept`: in use, and postponed. `removed`: the row, which had no user. */
export type IdleOutcome = 'none' | 'kept' | 'warned' | 'not-warned' | 'deleted' | 'removed';

const TRIGGER = 'schedules/idle-accounts';

/**
 * Processes the next step of one idle account. First asks Stripe about a user who has a customer there: an
 * account with a subscription is never warned and never deleted. A sign-in at any moment before the user is
 * deleted from the pool keeps the account.
 *
 * `mayTake`: whether one more may be warned or deleted today. A step that exceeds the limit stays due.
 */
export async function processIdleAccount(
  dependencies: IdleDependencies,
  userId: string,
  mayTake: (step: 'warn' | 'delete') => Promise<boolean>,
): Promise<IdleOutcome> {
  const { planTable, userPool, clock } = dependencies;
  const now = clock();
  const row = await planTable.read(userId);
  if (!row) return 'none';
  const step = idleStep(row, now);
  if (step === 'none') return 'none';
  // A deletion that failed a moment ago still counts as failed. The next run tries again.
  if (step === 'closing') throw new Error(`The account ${userId} is being deleted.`);
  if (step === 'keep') return keep(dependencies, row);
  // Its owner can't be warned.
  if (row.mail_bounced_at !== undefined) {
    log.error('idle-account-unreachable', { user: row.id });
    return keep(dependencies, row);
  }
  if (!(await mayTake(step))) return 'none';
  const account = await userPool.findBySub(userId);
  if (!account) return removeRow(dependencies, row);
  return step === 'warn' ? warn(dependencies, row, account) : deleteIdle(dependencies, row, account);
}

async function keep({ idle, clock }: IdleDependencies, row: UserPlan): Promise<IdleOutcome> {
  await idle.move(row, nextYear(row.id, clock()));
  return 'kept';
}

/**
 * Postpones the row, sends the mail, and counts it, in this order. A run that fails in between sends it again
 * a week later. Only a mail that was certainly sent counts.
 */
async function warn(dependencies: IdleDependencies, before: UserPlan, { email, emailVerified }: Account) {
  const { idle, mail, siteUrl, clock } = dependencies;
  if (await isSubscribed(dependencies, before)) return keep(dependencies, before);
  if (email === undefined || !emailVerified) {
    log.error('idle-account-unreachable', { user: before.id });
    return keep(dependencies, before);
  }
  const bouncedMail = before.idle_returned_mail;
  const row = await idle.move(before, { due: dueAgain(clock()), warnings: warningsOf(before), bouncedMail });
  if (!row) return 'none';
  const warning = warningsOf(before) + 1;
  const notice = accountIdleEmail({
    siteUrl,
    user: row.id,
    deletionAt: deletionAfter(warning, clock()),
    isLast: warning === IDLE_WARNINGS,
  });
  if (!(await notify(mail, email, notice))) return 'not-warned';
  const sentAt = clock();
  await idle.move(row, { due: dueAfterWarning(warning, sentAt), warnings: warning, bouncedMail });
  log.info('idle-account-warned', {
    user: row.id,
    warning,
    deletedAfter: deletionAfter(warning, sentAt).toISOString(),
  });
  return 'warned';
}

/** Closes the row for two minutes before asking Stripe: it accepts no checkout, so the answer stays true. */
async function deleteIdle(dependencies: IdleDependencies, before: UserPlan, account: Account) {
  const { idle, billing, userPool, clock } = dependencies;
  const now = clock();
  const row = await idle.close(before, closingUntil(now));
  if (!row) return kept(before);
  // `isSubscribed` sees a payment made until now. An expired checkout can't be paid later.
  if (row.checkout_session_id !== undefined) await billing.expireCheckout(row.checkout_session_id);
  if (await isSubscribed(dependencies, row)) {
    await keep(dependencies, row);
    return kept(row);
  }
  const { isDeleted } = await deleteClosedAccount(
    dependencies,
    {
      row,
      user: account,
      idleDueAt: row.idle_due_at,
      deleteUser: async () => {
        await userPool.remove(account.username);
        return true;
      },
      notice: () => accountDeletedEmail({ subscriptionEnded: false, at: now, wasIdle: true }),
    },
    now,
  );
  if (!isDeleted) return kept(row);
  log.info('idle-account-deleted', { user: row.id });
  return 'deleted';
}

function kept({ id }: UserPlan): IdleOutcome {
  log.info('idle-account-kept', { user: id });
  return 'kept';
}

/** Whether Stripe has a subscription of the user that hasn't ended. A paid Plus plan has one. */
async function isSubscribed(dependencies: IdleDependencies, row: UserPlan): Promise<boolean> {
  if (customerIdOf(row) === undefined) return false;
  const options = { trigger: TRIGGER, known: { row }, onlyChanges: true };
  const reconciled = await reconcile(dependencies, row.id, dependencies.clock(), options);
  const subscriptions = reconciled?.subscriptions ?? [];
  return subscriptions.some((subscription) => !hasEnded(subscription));
}

/** Removes a row whose user is gone. With a customer, billing tasks do: they look for the user once more. */
async function removeRow(dependencies: IdleDependencies, row: UserPlan): Promise<IdleOutcome> {
  const { idle, planTable, clock } = dependencies;
  const customerId = customerIdOf(row);
  log.info('row-without-user', { user: row.id });
  if (customerId === undefined) {
    await planTable.remove(row.id);
    return 'removed';
  }
  await lookForUser(dependencies, { userId: row.id, customerId }, clock());
  await idle.move(row, {
    due: dueAgain(clock()),
    warnings: warningsOf(row),
    bouncedMail: row.idle_returned_mail,
  });
  return 'removed';
}
