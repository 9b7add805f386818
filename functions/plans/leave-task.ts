import type { BillingTask } from '../../schemas/billing-task.ts';
import type { BillingTasks, TaskKey } from '../adapters/dynamodb/billing-tasks.ts';
import { log, textOf } from '../runtime/log.ts';

export interface TaskDependencies {
  tasks: Pick<BillingTasks, 'remember'>;
}

// Milliseconds. The schedule of `billing-tasks` runs hourly.
export const TASK_INTERVAL = 3_600_000;

/** Leaves work at Stripe that has failed to the schedule `billing-tasks`. Throws only if that fails too. */
export async function leaveTask(
  { tasks }: TaskDependencies,
  task: TaskKey & Pick<BillingTask, 'user_id'>,
  failure: unknown,
  now: Date,
): Promise<void> {
  const { work, customer_id, user_id } = task;
  log.error('billing-left', { work, customer: customer_id, user: user_id ?? null }, failure);
  await tasks.remember(
    { work, customer_id, user_id, failure: textOf(failure) },
    now,
    new Date(now.getTime() + TASK_INTERVAL),
  );
}
