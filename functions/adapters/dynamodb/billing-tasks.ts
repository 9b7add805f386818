import { DeleteCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BillingTask, type BillingWork } from '../../../schemas/billing-task.ts';
import { dynamodb } from './client.ts';

// The partition of the tasks in the StripeWork table. There are few: each is a request that Stripe refused.
const KIND = 'task';

/** Names a task. There is at most one of each work and customer. */
export type TaskKey = Pick<BillingTask, 'work' | 'customer_id'>;

/** What is left to be done at Stripe: items of the StripeWork table. Each method is one request. */
export interface BillingTasks {
  /** Adds a task that is due at `due`. A task that is there already keeps its dates and tries. */
  remember(
    task: TaskKey & { user_id: string | undefined; failure: string },
    now: Date,
    due: Date,
  ): Promise<void>;
  /** The tasks that are due, page by page. */
  due(now: Date): AsyncIterable<BillingTask[]>;
  /** Records a failed try. Without `due`, the task isn't tried again. */
  postpone(task: TaskKey, failure: string, due: Date | undefined): Promise<void>;
  forget(task: TaskKey): Promise<void>;
}

const keyOf = (work: BillingWork, customer: string) => ({ kind: KIND, id: `${work}#${customer}` });

export function billingTasks(table: string): BillingTasks {
  return {
    async remember({ work, customer_id, user_id, failure }, now, due) {
      await dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: keyOf(work, customer_id),
          UpdateExpression:
            'SET #work = :work, customer_id = :customer, failure = :failure, since = if_not_exists(since, :now), due = if_not_exists(due, :due), tries = if_not_exists(tries, :none)' +
            (user_id === undefined ? '' : ', user_id = :user'),
          ExpressionAttributeNames: { '#work': 'work' },
          ExpressionAttributeValues: {
            ':work': work,
            ':customer': customer_id,
            ':failure': failure,
            ':now': now.toISOString(),
            ':due': due.toISOString(),
            ':none': 0,
            ...(user_id !== undefined && { ':user': user_id }),
          },
        }),
      );
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
      await dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: keyOf(work, customer_id),
          UpdateExpression: `SET failure = :failure, ${due ? 'due = :due' : 'given_up = :yes'} ADD tries :one`,
          // Another run may have done it.
          ConditionExpression: 'attribute_exists(kind)',
          ExpressionAttributeValues: {
            ':failure': failure,
            ...(due ? { ':due': due.toISOString() } : { ':yes': true }),
            ':one': 1,
          },
        }),
      );
    },

    async forget({ work, customer_id }) {
      await dynamodb.send(new DeleteCommand({ TableName: table, Key: keyOf(work, customer_id) }));
    },
  };
}
