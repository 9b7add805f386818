import { BillingTask, BillingWork } from '../../../schemas/rows/billing-task.ts';
import { ex, query, read, remove, update } from './client.ts';

// The partition of the tasks in the StripeWork table. There are few: each is a request that Stripe refused.
const KIND = 'task';

/** Identifies a task. There is at most one for each work and customer. */
export type TaskKey = Pick<BillingTask, 'work' | 'customer_id'>;

type NewTask = TaskKey & { user_id: string | undefined; failure: string };

const keyOf = ({ work, customer_id }: TaskKey) => ({ kind: KIND, id: `${work}#${customer_id}` });

// `left` counts how often a task was enqueued.
const fieldsOf = ({ work, customer_id, user_id, failure }: NewTask) => {
  const named = user_id === undefined ? ex`` : ex`, user_id = ${user_id}`;
  return ex`#work = ${work}, customer_id = ${customer_id}, failure = ${failure}${named}`;
};

/** The tasks in the StripeWork table. Each method is one request unless its comment says otherwise. */
export function billingTasks(table: string) {
  /** Adds a task in place of an existing one. */
  const restart = async (task: NewTask, now: Date, due: Date): Promise<void> => {
    const dates = ex`#since = ${now.toISOString()}, due = ${due.toISOString()}, tries = ${0}`;
    await update(table, keyOf(task), ex`SET ${fieldsOf(task)}, ${dates} ADD #left ${1} REMOVE given_up`);
  };

  return {
    restart,

    /** Adds a task. An existing one keeps dates and tries; one given up starts again (two requests). */
    async enqueue(task: NewTask, now: Date, due: Date) {
      const [since, dueAt] = [now.toISOString(), due.toISOString()];
      const isKept = await update(
        table,
        keyOf(task),
        ex`SET ${fieldsOf(task)}, #since = if_not_exists(#since, ${since}), due = if_not_exists(due, ${dueAt}), tries = if_not_exists(tries, ${0}) ADD #left ${1}`,
        ex`attribute_not_exists(given_up)`,
      );
      if (!isKept) await restart(task, now, due);
    },

    /** The tasks that are due, read page by page. */
    async *due(now: Date): AsyncIterable<BillingTask> {
      const filter = ex`due <= ${now.toISOString()} AND attribute_not_exists(given_up)`;
      for await (const items of query(table, ex`kind = ${KIND}`, { filter }))
        yield* items.map((item) => BillingTask.parse(item));
    },

    /** Records a failed try of an existing task. Without `due`, the task isn't tried again. */
    async postpone(task: TaskKey, failure: string, due: Date | undefined) {
      const next = due ? ex`due = ${due.toISOString()}` : ex`given_up = ${true}`;
      const change = ex`SET failure = ${failure}, ${next} ADD tries ${1}`;
      // Another run may have removed the task.
      await update(table, keyOf(task), change, ex`attribute_exists(kind)`);
    },

    /** Sets the next try of an existing task that hasn't failed. */
    async again(task: TaskKey, due: Date) {
      const change = ex`SET due = ${due.toISOString()} ADD #left ${1}`;
      await update(table, keyOf(task), change, ex`attribute_exists(kind)`);
    },

    /** Removes a finished task, unless it was enqueued again since it was read. */
    async forget({ left, ...task }: TaskKey & Pick<BillingTask, 'left'>) {
      await remove(table, keyOf(task), ex`#left = ${left}`);
    },
  };
}
export type BillingTasks = ReturnType<typeof billingTasks>;

/** All tasks of a customer, including those that were given up. One request for each kind of work. */
export async function tasksOf(table: string, customer: string): Promise<BillingTask[]> {
  const found = await Promise.all(
    BillingWork.options.map((work) => read(table, keyOf({ work, customer_id: customer }), BillingTask)),
  );
  return found.flatMap((task) => task ?? []);
}
