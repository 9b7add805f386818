import type { BillingTask } from '../../schemas/rows/billing-task.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { addressChangeAdapters } from '../accounts/account-adapters.ts';
import { planNoticeAdapters } from '../notices/notice-adapters.ts';
import { deleteClosedAccount } from '../accounts/delete-closed-account.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { closingUntil } from '../domain/closing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { endCustomerBilling } from '../plans/end-billing.ts';
import { endOrphanedBilling, lookForUser } from '../plans/end-orphaned-billing.ts';
import { reminderStep } from '../notices/enqueue-plan-notices.ts';
import { TASK_INTERVAL } from '../tasks/enqueue-task.ts';
import { reconcile } from '../plans/reconcile.ts';
import { userOfCustomer } from '../plans/user-of-customer.ts';
import { jobAdapters } from '../plans/plan-adapters.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log, textOf } from '../runtime/log.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';

const NAME = 'schedules/billing-tasks';
const CONCURRENCY = 4;

/** A day: the schedule runs every hour. */
export const TRIES_TO_ALARM = 24;
/** Two weeks: a payment of a deleted account may process as long (docs.stripe.com/payments/sepa-debit). */
export const MAXIMUM_TRIES = 14 * 24;

const adapters = { ...addressChangeAdapters, ...planNoticeAdapters, ...jobAdapters(NAME), userPool };
type Dependencies = Made<typeof adapters>;

/**
 * Does the tasks that are due. A task that fails is tried again every hour for two weeks. The log line
 * `billing-stuck`, which raises an alarm, names it after the first day and when it is given up. After that it
 * stays in the table for support. `left`: tasks that failed again.
 */
export const runBillingTasks =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false) => {
    const now = clock();
    let left = 0;
    const { done, failures, outOfTime } = await forEachLimit(dependencies.tasks.due(now), {
      limit: CONCURRENCY,
      work: async (task) => {
        let next: Date | undefined;
        try {
          next = await perform(dependencies, task, clock());
        } catch (error) {
          left += 1;
          return postpone(dependencies, task, error, now);
        }
        return next ? dependencies.tasks.again(task, next) : dependencies.tasks.forget(task);
      },
      isOver,
    });
    log.info('sweep-finished', {
      sweep: NAME,
      done: done - left,
      failures: failures.size + left,
      unreadShards: 0,
      unfinished: outOfTime,
    });
    if (failures.size > 0) {
      throw new Error(`${failures.size} tasks could not be written: ${String([...failures.values()][0])}`);
    }
    return { done: done - left, left, unfinished: outOfTime };
  };

/** Resolves with the time of the task's next step, if it has one. Throws if part of the work remains. */
async function perform(dependencies: Dependencies, task: BillingTask, now: Date): Promise<Date | undefined> {
  if (task.work === 'deletion') return deleteOrdered(dependencies, task, now);
  if (task.work === 'address-change') {
    const { carryOutAddressChange } = await import('../accounts/make-address-change.ts');
    return carryOutAddressChange(dependencies, task.customer_id, now);
  }
  if (task.work === 'tries-end' && task.user_id !== undefined) {
    // Anything unsettled is a task of its own.
    return (await reconcile(dependencies, task.user_id, now, { trigger: NAME }))?.triesEnd;
  }
  if (task.work === 'notify' || task.work === 'remind') return sendNotices(dependencies, task, now);
  await performAtStripe(dependencies, task, now);
  return undefined;
}

/** Decides the plan first, so that no mail says what is no longer so. */
async function sendNotices(
  dependencies: Dependencies,
  { work, customer_id: userId }: BillingTask,
  now: Date,
): Promise<Date | undefined> {
  const options = { trigger: NAME, onlyChanges: true, mailsNext: true };
  const reconciled = await reconcile(dependencies, userId, now, options);
  if (!reconciled) return undefined;
  const { row, facts } = reconciled;
  const next = work === 'remind' ? reminderStep(row, now) : undefined;
  if (next) return next;
  if (!facts) return new Date(now.getTime() + TASK_INTERVAL);
  const { sendPlanNotices } = await import('../notices/send-plan-notices.ts');
  return sendPlanNotices(dependencies, { row, facts }, () => dependencies.userPool.addressOf(userId), now);
}

async function performAtStripe(dependencies: Dependencies, task: BillingTask, now: Date): Promise<void> {
  const { customer_id: customerId, work } = task;
  if (work === 'end') return endAbandoned(dependencies, task);
  if (work === 'address') return setCustomerAddress(dependencies, task);
  const isNamed = work === 'reconcile' && task.user_id !== undefined;
  const named = { customerId, userId: task.user_id };
  const userId = isNamed ? task.user_id : await userOfCustomer(dependencies, named);
  if (userId === undefined) return;
  if (work === 'check-user') return lookForUser(dependencies, { userId, customerId }, now);
  if (work === 'check-user-again') {
    await endOrphanedBilling(dependencies, { userId, customerId }, now);
    return;
  }
  const reconciled = await reconcile(dependencies, userId, now, { trigger: NAME });
  if (reconciled?.unsettled !== undefined) throw reconciled.unsettled;
}

/** Deletes an account whose deletion support has ordered. Payments since then are refunded. */
async function deleteOrdered(
  dependencies: Dependencies,
  { customer_id: id, since }: BillingTask,
  now: Date,
): Promise<undefined> {
  const { planTable, pool } = dependencies;
  const account = await pool.findBySub(id);
  await deleteClosedAccount(
    dependencies,
    {
      row: await planTable.close(id, closingUntil(now)),
      user: account,
      since: new Date(since),
      deleteUser: async () => account !== undefined && pool.remove(account.username),
      notice: (subscriptionEnded) => accountDeletedEmail({ subscriptionEnded, at: now, wasIdle: false }),
    },
    now,
  );
}

/** Gives a customer its user's current address, which may have changed again since the task was enqueued. */
async function setCustomerAddress(
  { billing, ...dependencies }: Dependencies,
  { customer_id: customerId, user_id: userId }: BillingTask,
): Promise<void> {
  const email = userId === undefined ? undefined : await dependencies.userPool.addressOf(userId);
  if (email !== undefined) await billing.setCustomerEmail(customerId, email);
}

/** Ends the billing of a customer, unless its user's account was not deleted after all. */
async function endAbandoned(
  { planTable, billing, ...dependencies }: Dependencies,
  { customer_id: customerId, user_id: userId = '', since }: BillingTask,
): Promise<void> {
  const row = await planTable.read(userId);
  if (row && customerIdOf(row) === customerId && (await dependencies.userPool.has(userId))) return;
  // A task exists only for a customer of the user, who has no row any more.
  const user: UserPlan = { id: userId, plan: 'free', billing_customer_id: customerId, version: 0 };
  const { failures } = await endCustomerBilling(billing, customerId, user, new Date(since));
  if (failures.length > 0) throw failures[0];
}

async function postpone({ tasks }: Dependencies, task: BillingTask, failure: unknown, now: Date) {
  const tries = task.tries + 1;
  const isLast = tries >= MAXIMUM_TRIES;
  const due = isLast ? undefined : new Date(now.getTime() + TASK_INTERVAL);
  await tasks.postpone(task, textOf(failure), due);
  if (tries !== TRIES_TO_ALARM && !isLast) return;
  const { work, customer_id: customer, user_id: user = null, since } = task;
  log.error('billing-stuck', { work, customer, user, since, givenUp: isLast }, failure);
}

export const handler = withinTime(NAME, adapters, runBillingTasks);
