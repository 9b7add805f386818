import { DeleteCommand, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BillingTask, BillingWork } from '../../../schemas/rows/billing-task.ts';
import { conditionHolds, dynamodb } from './client.ts';

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
  /** The tasks that are due, page by page. */
  due(now: Date): AsyncIterable<BillingTask[]>;
  /** Records a failed try of an existing task. Without `due`, the task isn't tried again. */
  postpone(task: TaskKey, failure: string, due: Date | undefined): Promise<void>;
  /** Sets the next try of an existing task that hasn't failed. */
  again(task: TaskKey, due: Date): Promise<void>;
  /** Removes a finished task, unless it was enqueued again since it was read. */
  forget(task: TaskKey & Pick<BillingTask, 'left'>): Promise<void>;
}

const keyOf = (work: BillingWork, customer: string) => ({ kind: KIND, id: `${work}#${customer}` });

export const billingTasks = (table: string): BillingTasks => ({
  async enqueue({ work, customer_id, user_id, failure }, now, due) {
    const fields = { work, customer_id, failure, ...(user_id !== undefined && { user_id }) };
    const times = { since: now.toISOString(), due: due.toISOString(), tries: 0 };
    const key = keyOf(work, customer_id);
    const isKept = await update(table, key, {
      set: fields,
      setIfMissing: times,
      condition: 'attribute_not_exists(given_up)',
    });
    if (!isKept) await update(table, key, { set: { ...fields, ...times }, remove: 'given_up' });
  },

  async *due(now) {
    const pages = paginateQuery(
      { client: dynamodb },
      {
        TableName: table,
        KeyConditionExpression: 'kind = :kind',
        FilterExpression: 'due <= :now AND attribute_not_exists(given_up)',
        ExpressionAttributeValues: { ':kind': KIND, ':now': now.toISOString() },
      },
    );
    for await (const { Items = [] } of pages) yield Items.map((item) => BillingTask.parse(item));
  },

  async postpone({ work, customer_id }, failure, due) {
    await conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: keyOf(work, customer_id),
          UpdateExpression: `SET failure = :failure, ${due ? 'due = :due' : 'given_up = :yes'} ADD tries :one`,
          // Another run may have removed the task.
          ConditionExpression: 'attribute_exists(kind)',
          ExpressionAttributeValues: {
            ':failure': failure,
            ...(due ? { ':due': due.toISOString() } : { ':yes': true }),
            ':one': 1,
          },
        }),
      ),
    );
  },

  async again({ work, customer_id }, due) {
    await update(table, keyOf(work, customer_id), {
      set: { due: due.toISOString() },
      condition: 'attribute_exists(kind)',
    });
  },

  async forget({ work, customer_id, left }) {
    await conditionHolds(() =>
      dynamodb.send(
        new DeleteCommand({
          TableName: table,
          Key: keyOf(work, customer_id),
          ConditionExpression: '#left = :left',
          ExpressionAttributeNames: { '#left': 'left' },
          ExpressionAttributeValues: { ':left': left },
        }),
      ),
    );
  },
});

/** All tasks of a customer, including those that were given up. One request for each kind of work. */
export async function tasksOf(table: string, customer: string): Promise<BillingTask[]> {
  const found = await Promise.all(
    BillingWork.options.map((work) =>
      dynamodb.send(new GetCommand({ TableName: table, Key: keyOf(work, customer) })),
    ),
  );
  return found.flatMap(({ Item }) => (Item ? [BillingTask.parse(Item)] : []));
}

/** Enqueues a task once more. Resolves with whether the condition held. */
function update(
  table: string,
  key: ReturnType<typeof keyOf>,
  change: {
    set: Record<string, unknown>;
    setIfMissing?: Record<string, unknown>;
    remove?: string;
    condition?: string;
  },
): Promise<boolean> {
  const { set, setIfMissing = {}, remove, condition } = change;
  const values = { ...set, ...setIfMissing };
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    ...Object.keys(setIfMissing).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  return conditionHolds(() =>
    dynamodb.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: `SET ${assignments.join(', ')} ADD #left :one ${remove ? `REMOVE ${remove}` : ''}`,
        ...(condition && { ConditionExpression: condition }),
        ExpressionAttributeNames: Object.fromEntries(
          [...Object.keys(values), 'left'].map((name) => [`#${name}`, name]),
        ),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
          ':one': 1,
        },
      }),
    ),
  );
}
