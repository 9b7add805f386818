import { BillingTask, BillingWork } from '../../../schemas/rows/billing-task.ts';
import { ex, query, read, remove, update } from './client.ts';

// The partition of the tasks in the StripeWork table. There are few tasks: each is a request that Stripe
// refused.
const KIND = 'task';

/** Identifies a task. There is at most one for each work and customer. */
export type TaskKey = Pick<BillingTask, 'work' | 'customer_id'>;

/**
 * The tasks to be done at Stripe: items of the StripeWork table. Each method is one request unless its
 * comment says otherwise.
 */
export interface BillingTasks {
  /**
   * Adds a task that is due at `due`. An existing task keeps its dates and tries. A task that was given up
   * starts again (two requests).
   */
  enqueue(
    task: TaskKey & { work: BillingWork; user_id: string | undefined; failure: string },
    now: Date,
    due: Date,
  ): Promise<void>;
  /** Adds a task that is due at `due`, in place of an existing one. */
  restart(...task: Parameters<BillingTasks['enqueue']>): Promise<void>;
  /** The tasks that are due, page by page. */
  due(now: Date): AsyncIterable<BillingTask[]>;
  /** Records a failed try of an existing task. Without `due`, the task isn't tried again. */
  postpone(task: TaskKey, failure: string, due: Date | undefined): Promise<void>;
  /** Sets the next try of an existing task that hasn't failed. */
  again(task: TaskKey, due: Date): Promise<void>;
  /** Removes a finished task, unless it was enqueued again since it was read. */
  forget(task: TaskKey & Pick<BillingTask, 'left'>): Promise<void>;
}

const keyOf = ({ work, customer_id }: TaskKey) => ({ kind: KIND, id: `${work}#${customer_id}` });

// `left` counts how often a task was enqueued.
const fieldsOf = ({ work, customer_id, user_id, failure }: Parameters<BillingTasks['enqueue']>[0]) => {
  const named = user_id === undefined ? ex`` : ex`, user_id = ${user_id}`;
  return ex`#work = ${work}, customer_id = ${customer_id}, failure = ${failure}${named}`;
};

async function restart(
  table: string,
  ...[task, now, due]: Parameters<BillingTasks['enqueue']>
): Promise<void> {
  const dates = ex`#since = ${now.toISOString()}, due = ${due.toISOString()}, tries = ${0}`;
  await update(table, keyOf(task), ex`SET ${fieldsOf(task)}, ${dates} ADD #left ${1} REMOVE given_up`);
}

export const billingTasks = (table: string): BillingTasks => ({
  async enqueue(task, now, due) {
    const [since, dueAt] = [now.toISOString(), due.toISOString()];
    const isKept = await update(
      table,
      keyOf(task),
      ex`SET ${fieldsOf(task)}, #since = if_not_exists(#since, ${since}), due = if_not_exists(due, ${dueAt}), tries = if_not_exists(tries, ${0}) ADD #left ${1}`,
      ex`attribute_not_exists(given_up)`,
    );
    if (!isKept) await restart(table, task, now, due);
  },

  restart: (...task) => restart(table, ...task),

  async *due(now) {
    const filter = ex`due <= ${now.toISOString()} AND attribute_not_exists(given_up)`;
    for await (const items of query(table, ex`kind = ${KIND}`, { filter }))
      yield items.map((item) => BillingTask.parse(item));
  },

  async postpone(task, failure, due) {
    const next = due ? ex`due = ${due.toISOString()}` : ex`given_up = ${true}`;
    const change = ex`SET failure = ${failure}, ${next} ADD tries ${1}`;
    // Another run may have removed the task.
    await update(table, keyOf(task), change, ex`attribute_exists(kind)`);
  },

  async again(task, due) {
    const change = ex`SET due = ${due.toISOString()} ADD #left ${1}`;
    await update(table, keyOf(task), change, ex`attribute_exists(kind)`);
  },

  async forget({ left, ...task }) {
    await remove(table, keyOf(task), ex`#left = ${left}`);
  },
});

/** All tasks of a customer, including those that were given up. One request for each kind of work. */
export async function tasksOf(table: string, customer: string): Promise<BillingTask[]> {
  const found = await Promise.all(
    BillingWork.options.map((work) => read(table, keyOf({ work, customer_id: customer }), BillingTask)),
  );
  return found.flatMap((task) => task ?? []);
}
