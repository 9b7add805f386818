import type { UserPlan } from '../../schemas/rows/plan.ts';
import { type BillingStateFields, statesOf } from '../domain/billing-state.ts';
import { reminderAt, planNotices } from '../domain/plan-notices.ts';
import { NOT_TRIED, type TaskDependencies } from './enqueue-task.ts';

// Milliseconds. Longer than the write that follows can take, before which the task would find nothing.
const WRITTEN_WITHIN = 2 * 60_000;
// Milliseconds. A task looks at the row at least once a week, so none outlasts a deleted account for long.
const LOOK = 7 * 86_400_000;

/** Whether the user is to be mailed about the plan. */
export function hasNotices(row: BillingStateFields, now: Date): boolean {
  const states = statesOf(row);
  return (
    states !== undefined && planNotices(states.notified, states.seen, now, states.maybeNotified).length > 0
  );
}

/**
 * Enqueues the mails that a decision causes, before it is written: a crash after the write then loses no
 * mail, and a task without a mail to send does nothing. `state`: what the decision writes over the row.
 */
export async function enqueuePlanNotices(
  { tasks }: TaskDependencies,
  row: UserPlan,
  state: BillingStateFields,
  now: Date,
): Promise<void> {
  const decided = { ...row, ...state };
  const after = statesOf(decided);
  if (!after) return;
  const task = { customer_id: row.id, user_id: row.id, failure: NOT_TRIED };
  if (hasNotices(decided, now)) {
    await tasks.enqueue({ work: 'notify', ...task }, now, new Date(now.getTime() + WRITTEN_WITHIN));
  }
  const isNew = after.seen.ends !== statesOf(row)?.seen.ends;
  const due = isNew ? reminderStep(decided, now) : undefined;
  if (due) await tasks.enqueue({ work: 'remind', ...task }, now, due);
}

/** The time of the next step of the task `remind`. Undefined if there is none. */
export function reminderStep(row: BillingStateFields, now: Date): Date | undefined {
  const states = statesOf(row);
  const reminder = states && reminderAt(states.seen);
  if (!reminder || reminder <= now) return undefined;
  return new Date(Math.min(reminder.getTime(), now.getTime() + LOOK));
}
