import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { PlanFields } from '../domain/plan.ts';
import { reminderAt } from '../domain/plan-notices.ts';
import { NOT_TRIED } from '../tasks/enqueue-task.ts';

// Milliseconds. Longer than the write that follows can take, before which the task would find nothing.
const WRITTEN_WITHIN = 2 * 60_000;
// Milliseconds. A task looks at the row at least once a week, so none outlasts a deleted account for long.
const MAX_RECHECK_INTERVAL = 7 * 86_400_000;

/**
 * Enqueues the mails that a decision causes, before it is written: a crash after the write then loses no
 * mail, and a task without a mail to send does nothing. `hasNotices`: whether a mail is due at once.
 */
export async function enqueuePlanNotices(
  { tasks }: Uses<'tasks'>,
  row: UserPlan,
  { fields, hasNotices }: { fields: PlanFields; hasNotices: boolean },
  now: Date,
): Promise<void> {
  const task = { customer_id: row.id, user_id: row.id, failure: NOT_TRIED };
  if (hasNotices) {
    await tasks.enqueue({ work: 'notify', ...task }, now, new Date(now.getTime() + WRITTEN_WITHIN));
  }
  const isNew = fields.plan_expires_at !== row.plan_expires_at;
  const due = isNew ? reminderStep(fields, now) : undefined;
  if (due) await tasks.enqueue({ work: 'remind', ...task }, now, due);
}

/** The time of the next step of the task `remind`. Undefined if there is none. */
export function reminderStep(fields: PlanFields, now: Date): Date | undefined {
  const reminder = reminderAt(fields);
  if (!reminder || reminder <= now) return undefined;
  return new Date(Math.min(reminder.getTime(), now.getTime() + MAX_RECHECK_INTERVAL));
}
