import type { BillingTask, BillingWork } from '../../schemas/rows/billing-task.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { TaskKey } from '../adapters/dynamodb/billing-tasks.ts';
import { log, textOf } from '../runtime/log.ts';

// Milliseconds. The schedule of `billing-tasks` runs hourly.
export const TASK_INTERVAL = 3_600_000;

/** The `failure` of a task that was enqueued before the first try. */
export const NOT_TRIED = 'not tried yet';

/** Enqueues failed work at Stripe for the schedule `billing-tasks`. Throws only if enqueueing fails too. */
export async function enqueueTask(
  { tasks }: Uses<'tasks'>,
  task: TaskKey & { work: BillingWork } & Pick<BillingTask, 'user_id'>,
  failure: unknown,
  now: Date,
): Promise<void> {
  const { work, customer_id, user_id } = task;
  log.error('billing-deferred', { work, customer: customer_id, user: user_id ?? null }, failure);
  await tasks.enqueue(
    { work, customer_id, user_id, failure: textOf(failure) },
    now,
    new Date(now.getTime() + TASK_INTERVAL),
  );
}
