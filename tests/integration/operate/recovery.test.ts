import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { User as PoolUser } from '../../../infra/local/aws/cognito/users.ts';
import { cognitoUserList } from '../../../functions/adapters/cognito/user-list.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { recoverPlans } from '../../../infra/operate/recover/recover-plans.ts';
import {
  poolId,
  type CallRecordingProduct,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';

const MINUTE = 60_000;
const PLAN_AGAIN = { status: 200, body: { plan: 'plus' } };

let product: CallRecordingProduct;
let lines: string[];
const say = (line: string) => void lines.push(line);

beforeAll(async () => {
  product = await startCallRecordingProduct();
});
afterAll(async () => {
  await product.stop();
});
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'info').mockImplementation(() => {});
  losePool();
});
// The next test would otherwise find rows of users whose pool is lost.
afterEach(() => product.clear());
const poolUsers = () => product.cognito.store.collection<PoolUser>('cognito/users');

/** A user with an account, a row and Plus. */
async function subscriber(): Promise<User> {
  const user = await product.signUp();
  await product.ask('plan', user);
  await buy(user);
  return user;
}

async function buy(user: User): Promise<void> {
  const session = await product.openCheckout(user);
  await product.pay(session);
  expect(await product.ask('session-status', user, { query: { session_id: session } })).toMatchObject({
    status: 200,
  });
}

/** The table as it is now under another name, as DynamoDB restores it. */
async function copyOfPlans(): Promise<string> {
  const { dynamodb } = product;
  const TableName = 'selfsame-production-RestoredUserPlans-1';
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: 'UserPlans' }));
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'UserPlans' }));
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  for (const Item of Items) await dynamodb.send(new PutCommand({ TableName, Item }));
  return TableName;
}

/** Deploys: functions restart with this table in their variables. */
function deployWith(plansTable: string): void {
  vi.stubEnv('USER_PLANS_TABLE', plansTable);
  product.endEnvironments();
}

const recovery = (isWriting: boolean, plansTable = 'UserPlans') =>
  recoverPlans({
    dynamodb: product.dynamodb,
    stripe: product.stripe.stripe,
    stage: STAGE,
    pool: cognitoUserPool(poolId),
    users: cognitoUserList(poolId),
    plansTable,
    stripeWorkTable: 'StripeWork',
    isWriting,
    say,
    pace: async () => {},
  });

const planOf = async (user: User) => product.ask('plan', user);

test('a table that was restored under another name is put in use, and what came after is recovered', async () => {
  const before = await subscriber();
  const bought = await product.signUp();
  await planOf(bought);
  const deleted = await product.signUp();
  await planOf(deleted);
  const restored = await copyOfPlans();

  // After the moment that the table goes back to.
  await product.advance(5 * MINUTE);
  await buy(bought);
  const since = await subscriber();
  expect((await product.ask('delete-account', deleted, { body: {} })).status).toBe(200);
  // A bad deployment.
  await product.changeRow(before, { plan: 'free', stripe_subscription_id: 'sub_wrong' });

  deployWith(restored);
  expect(await planOf(before)).toMatchObject(PLAN_AGAIN);
  expect(await planOf(bought)).toMatchObject({ body: { plan: 'free' } });

  expect(await recovery(false, restored)).toEqual({ linked: 1, made: 1, removed: 1, unclear: 0 });
  expect(await recovery(true, restored)).toEqual({ linked: 1, made: 1, removed: 1, unclear: 0 });
  await product.run('schedules/event-catch-up');
  for (const user of [before, bought, since]) expect(await planOf(user)).toMatchObject(PLAN_AGAIN);
  const { Item } = await product.dynamodb.send(
    new GetCommand({ TableName: restored, Key: { id: deleted.id } }),
  );
  expect(Item).toBeUndefined();
  expect(await recovery(true, restored)).toEqual({ linked: 0, made: 0, removed: 0, unclear: 0 });
  deployWith('UserPlans');
});

function losePool(): void {
  for (const user of poolUsers().list()) poolUsers().delete(`${poolId}/${user.username}`);
}

test('plans are not recovered against a pool that has lost its users', async () => {
  for (let count = 0; count < 20; count += 1) {
    await product.dynamodb.send(
      new PutCommand({ TableName: 'UserPlans', Item: { id: `nobody-${count}`, plan: 'free', version: 1 } }),
    );
  }
  await expect(recovery(true)).rejects.toThrow('No row was removed.');
});
