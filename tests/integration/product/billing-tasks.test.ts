import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingTasks } from '../../../functions/adapters/dynamodb/billing-tasks.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import { startTables, type Tables } from '../../fixtures/worlds/dynamodb-tables.ts';
import { memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

const HOUR = 3_600_000;
const start = Date.parse('2030-01-15T12:00:00Z');
const after = (hours: number): Date => new Date(start + hours * HOUR);
const time = (hours: number): string => after(hours).toISOString();

let tables: Tables;
let inDynamoDb: BillingTasks;

beforeAll(async () => {
  tables = await startTables();
  const { billingTasks } = await import('../../../functions/adapters/dynamodb/billing-tasks.ts');
  inDynamoDb = billingTasks('StripeWork');
});
afterAll(() => tables.stop());

/** All pages of what is due, in the order of their customers. */
async function due(tasks: BillingTasks, hours: number): Promise<BillingTask[]> {
  const found: BillingTask[] = [];
  for await (const page of tasks.due(after(hours))) found.push(...page);
  return found.toSorted((a, b) => (a.customer_id < b.customer_id ? -1 : 1));
}

const ada = { work: 'reconcile', customer_id: 'cus_ada' } as const;

// The fake of the other tests keeps the same promises.
describe.each([
  ['DynamoDB', () => inDynamoDb],
  ['memory', () => memoryTasks()],
])('tasks in %s', (_, create) => {
  let tasks: BillingTasks;
  const enqueue = (task: Partial<Parameters<BillingTasks['remember']>[0]> = {}, hours = 0) =>
    tasks.remember({ ...ada, user_id: 'ada', failure: 'no', ...task }, after(hours), after(hours + 1));

  beforeEach(async () => {
    tasks = create();
    const { Items = [] } = await tables.dynamodb.send(new ScanCommand({ TableName: 'StripeWork' }));
    for (const { kind, id } of Items) {
      await tables.dynamodb.send(new DeleteCommand({ TableName: 'StripeWork', Key: { kind, id } }));
    }
  });

  test('are found from the time on at which they are due', async () => {
    await enqueue();
    expect(await due(tasks, 0.9)).toEqual([]);
    expect(await due(tasks, 1)).toEqual([
      { ...ada, user_id: 'ada', since: time(0), due: time(1), left: 1, tries: 0, failure: 'no' },
    ]);
  });

  test('keep their dates and tries, and have the newest failure, where the same work is left again', async () => {
    await enqueue();
    await tasks.postpone(ada, 'no', after(2));
    await enqueue({ failure: 'still no', user_id: undefined }, 1);
    expect(await due(tasks, 2)).toEqual([
      { ...ada, user_id: 'ada', since: time(0), due: time(2), left: 2, tries: 1, failure: 'still no' },
    ]);
  });

  test('are one for each work and customer', async () => {
    await enqueue();
    await enqueue({ work: 'end' });
    await enqueue({ customer_id: 'cus_bob', user_id: undefined });
    expect((await due(tasks, 1)).map(({ work, customer_id }) => `${work} ${customer_id}`).toSorted()).toEqual(
      ['end cus_ada', 'reconcile cus_ada', 'reconcile cus_bob'],
    );
    await tasks.forget({ ...ada, left: 1 });
    expect(await due(tasks, 1)).toHaveLength(2);
  });

  test('are not found any more once they are given up', async () => {
    await enqueue();
    await tasks.postpone(ada, 'no', undefined);
    expect(await due(tasks, 1_000)).toEqual([]);
  });

  test('start again when work that was given up is due again', async () => {
    await enqueue();
    await tasks.postpone(ada, 'no', undefined);
    await enqueue({ failure: 'no again' }, 500);
    expect(await due(tasks, 501)).toEqual([
      { ...ada, user_id: 'ada', since: time(500), due: time(501), left: 2, tries: 0, failure: 'no again' },
    ]);
  });

  test('stay where they are left again while they are being done', async () => {
    await enqueue();
    const [task] = await due(tasks, 1);
    await enqueue();
    await tasks.forget(task!);
    expect(await due(tasks, 1)).toMatchObject([{ left: 2 }]);
  });

  test('that a concurrent run has forgotten are not brought back', async () => {
    await enqueue();
    await tasks.forget({ ...ada, left: 1 });
    await tasks.postpone(ada, 'no', after(2));
    expect(await due(tasks, 1_000)).toEqual([]);
  });
});

test('the tasks share their table with the catch-up’s cursor, which is no task', async () => {
  const { eventCursor } = await import('../../../functions/adapters/dynamodb/event-cursor.ts');
  await eventCursor('StripeWork').move({ from: after(0) });
  expect(await due(inDynamoDb, 1_000)).toEqual([]);
});
