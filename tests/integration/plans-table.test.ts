import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventCursor } from '../../functions/adapters/event-cursor.ts';
import type { PlansTable } from '../../functions/adapters/plans-table.ts';
import type { WaitlistTable } from '../../functions/adapters/waitlist-table.ts';
import { EXPIRY_SHARDS } from '../../functions/domain/expiry-shard.ts';
import { reconcile } from '../../functions/reconcile.ts';
import { type Engine, startEngine } from '../../infra/local/dynamodb-engine.ts';
import { MemoryBilling } from '../fixtures/memory-billing.ts';

const now = new Date('2026-01-20T12:00:00Z');
const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-plans-'));
let engine: Engine;
let plans: PlansTable;
let waitlist: WaitlistTable;
let cursor: EventCursor;
let put: (item: Record<string, unknown>) => Promise<unknown>;

beforeAll(async () => {
  engine = await startEngine({ dataDir: folder });
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine.endpoint;
  // The client reads its endpoint when it is made.
  const { dynamodb } = await import('../../functions/adapters/dynamodb.ts');
  const { plansTable } = await import('../../functions/adapters/plans-table.ts');
  const { waitlistTable } = await import('../../functions/adapters/waitlist-table.ts');
  const { eventCursor } = await import('../../functions/adapters/event-cursor.ts');
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'UserPlans',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'expiry_shard', AttributeType: 'N' },
        { AttributeName: 'plan_expires_at', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_expiry',
          KeySchema: [
            { AttributeName: 'expiry_shard', KeyType: 'HASH' },
            { AttributeName: 'plan_expires_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'Waitlist',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'email', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'email', KeyType: 'HASH' }],
    }),
  );
  plans = plansTable('UserPlans');
  waitlist = waitlistTable('Waitlist');
  cursor = eventCursor('UserPlans');
  put = (Item) => dynamodb.send(new PutCommand({ TableName: 'UserPlans', Item }));
});

afterAll(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const expiredIds = async (at: Date): Promise<string[]> => {
  const ids: string[] = [];
  for (let shard = 0; shard < EXPIRY_SHARDS; shard += 1) {
    for await (const page of plans.expired(shard, at)) ids.push(...page);
  }
  return ids;
};

test('opening an account twice leaves the first row as it was', async () => {
  const first = await plans.open('twice', now);
  const second = await plans.open('twice', new Date('2027-01-01T00:00:00Z'));
  expect(second).toEqual(first);
  expect(first).toMatchObject({ plan: 'free', created_at: now.toISOString(), version: 1 });
});

test('of two decisions made from the same row, one is written', async () => {
  const row = await plans.open('race', now);
  const written = await Promise.all([
    plans.decide(row, { plan: 'plus', stripe_subscription_id: 'sub_1' }, now),
    plans.decide(row, { plan: 'free' }, now),
  ]);
  expect(written.filter(Boolean)).toHaveLength(1);
  expect((await plans.read('race'))?.version).toBe(2);
});

test('a decision clears what it does not name and leaves what it does not decide', async () => {
  const row = await plans.open('clears', now);
  await plans.adoptCustomer('clears', 'cus_1', undefined);
  const plus = await plans.decide(
    row,
    { plan: 'plus', plan_expires_at: now.toISOString(), stripe_customer_id: 'cus_1' },
    now,
  );
  expect(plus && (await plans.decide(plus, { plan: 'free' }, now))).toBeDefined();
  expect(await plans.read('clears')).toEqual({
    id: 'clears',
    plan: 'free',
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    version: 3,
    billing_customer_id: 'cus_1',
  });
});

test('a row that somebody put there by hand can be decided upon, once', async () => {
  await put({ id: 'by-hand', plan: 'plus' });
  const row = await plans.read('by-hand');
  expect(row?.version).toBe(0);
  expect(row && (await plans.decide(row, { plan: 'free' }, now))).toMatchObject({ version: 1 });
  expect(row && (await plans.decide(row, { plan: 'plus' }, now))).toBeUndefined();
});

test('a customer known by the specification’s field alone outlives the plan', async () => {
  await put({ id: 'imported', plan: 'plus', stripe_customer_id: 'cus_1' });
  await reconcile({ plans, billing: new MemoryBilling() }, 'imported', now);
  expect(await plans.read('imported')).toMatchObject({ plan: 'free', billing_customer_id: 'cus_1' });
});

test('a deleted row is not brought back by a decision or a sign-in', async () => {
  const ghost = { id: 'ghost', plan: 'plus', version: 4 } as const;
  expect(await plans.decide(ghost, { plan: 'plus' }, now)).toBeUndefined();
  await plans.recordSignIn('ghost', now);
  expect(await plans.read('ghost')).toBeUndefined();
});

test('the index holds who has an expiry and nobody else, and a sweep reads who is due', async () => {
  const due = await plans.open('due', now);
  await plans.decide(due, { plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.000Z' }, now);
  const later = await plans.open('later', now);
  await plans.decide(later, { plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.001Z' }, now);
  await plans.open('never', now);
  expect(await expiredIds(now)).toEqual(['due']);

  const row = await plans.read('due');
  if (row) await plans.decide(row, { plan: 'free' }, now);
  expect(await expiredIds(now)).toEqual([]);
  expect(await expiredIds(new Date('2027-01-01T00:00:00Z'))).toEqual(['later']);
});

test('of two customers made at once, both callers get the one that was kept', async () => {
  await plans.open('customers', now);
  const [first, second] = await Promise.all([
    plans.adoptCustomer('customers', 'cus_a', undefined),
    plans.adoptCustomer('customers', 'cus_b', undefined),
  ]);
  expect(first).toBe(second);
});

test('of two checkouts opened at once, one is kept', async () => {
  await plans.open('checkouts', now);
  const adopted = await Promise.all([
    plans.adoptCheckout('checkouts', 'cs_a', undefined),
    plans.adoptCheckout('checkouts', 'cs_b', undefined),
  ]);
  expect(adopted.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
});

test('an earlier sign-in does not hide a later one', async () => {
  await plans.open('signs-in', now);
  await plans.recordSignIn('signs-in', new Date('2026-01-19T00:00:00Z'));
  await plans.recordSignIn('signs-in', new Date('2026-01-18T00:00:00Z'));
  expect((await plans.read('signs-in'))?.last_sign_in_at).toBe('2026-01-19T00:00:00.000Z');
});

test('of two people who join the waitlist with one address, one is told that it is there', async () => {
  const join = (name: string) =>
    waitlist.add({ email: 'ada@example.com', name, created_at: now.toISOString() });
  expect((await Promise.all([join('Ada'), join('Eve')])).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    false,
    true,
  ]);
});

test('the event cursor starts nowhere and stays where it was moved', async () => {
  expect(await cursor.read()).toBeUndefined();
  await cursor.move(now);
  expect(await cursor.read()).toEqual(now);
});
