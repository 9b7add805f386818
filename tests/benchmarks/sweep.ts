/**
 * What the expiry sweep costs: `npm run bench:sweep -- [rows …]`. In a real engine of 10,000, 100,000 and 1,000,000 rows, with
 * nobody, a hundred and ten thousand people due, beside a sweep that finds them by scanning the table. A figure is the
 * median of three; Stripe answers from memory, so what is measured is the table.
 */
import { parseArgs } from 'node:util';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { UserPlan } from '../../schemas/plan.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../functions/domain/expiry-shard.ts';
import { MemoryBilling } from '../fixtures/memory-billing.ts';
import { startPlansEngine } from '../fixtures/plans-engine.ts';

const RUNS = 3;
// DynamoDB takes this many rows in one BatchWriteItem.
const BATCH = 25;
const AT_ONCE = 8;
const now = new Date('2026-01-20T12:00:00.000Z');
const due = [0, 100, 10_000] as const;

const { positionals } = parseArgs({ allowPositionals: true });
const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000, 1_000_000];

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const engine = await startPlansEngine();
const { dynamodb } = engine;
process.env['PLANS_TABLE'] = 'UserPlans';
process.env['STRIPE_API'] = 'http://127.0.0.1:1';
process.env['STRIPE_SECRET_ID'] = 'none';
const { plansTable } = await import('../../functions/adapters/dynamodb/plans-table.ts');
const { sweepExpired } = await import('../../functions/schedules/expiry-sweep.ts');
const plans = plansTable('UserPlans');
const billing = new MemoryBilling();
// The sweep says what it did; this table says it better.
console.info = () => {};

let requests = 0;
dynamodb.middlewareStack.add(
  (next) => (args) => {
    requests += 1;
    return next(args);
  },
  { step: 'build' },
);

/** Free, on Plus, or, one in ten, on Plus until some day to come. */
function row(index: number): UserPlan {
  const id = `user-${index}`;
  const ending = index % 10 === 0;
  return {
    id,
    plan: index % 3 === 0 || ending ? 'plus' : 'free',
    ...(ending && { plan_expires_at: '2026-02-20T12:00:00.000Z', expiry_shard: expiryShard(id) }),
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    version: 1,
  };
}

const expired = (index: number): UserPlan => {
  const id = `user-${index}`;
  return {
    ...row(index),
    plan: 'plus',
    plan_expires_at: '2026-01-20T11:00:00.000Z',
    expiry_shard: expiryShard(id),
  };
};

async function write(rows: Iterable<UserPlan>, said = ''): Promise<void> {
  const queue = rows[Symbol.iterator]();
  let written = 0;
  const writer = async () => {
    for (;;) {
      const batch = Array.from({ length: BATCH }, () => queue.next()).flatMap((next) =>
        next.done ? [] : [next.value],
      );
      if (batch.length === 0) return;
      await dynamodb.send(
        new BatchWriteCommand({
          RequestItems: { UserPlans: batch.map((Item) => ({ PutRequest: { Item } })) },
        }),
      );
      written += batch.length;
      if (said && written % 50_000 < BATCH) process.stderr.write(`\r${said}: ${written} rows`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  if (said) process.stderr.write('\n');
}

function* range<T>(from: number, to: number, item: (index: number) => T): Generator<T> {
  for (let index = from; index < to; index += 1) yield item(index);
}

/** The same sweep over what a scan of the whole table finds; all of it comes with the first of the shards. */
const scanning: typeof plans = {
  ...plans,
  async *expired(shard, at) {
    if (shard !== Math.floor(now.getTime() / 3_600_000) % EXPIRY_SHARDS) return;
    const pages = paginateScan(
      { client: dynamodb },
      {
        TableName: 'UserPlans',
        FilterExpression: 'plan_expires_at <= :now',
        ProjectionExpression: 'id',
        ExpressionAttributeValues: { ':now': at.toISOString() },
      },
    );
    for await (const { Items = [] } of pages) yield Items.map(({ id }) => String(id));
  },
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(
  table: typeof plans,
  count: number,
): Promise<{ milliseconds: number; requests: number }> {
  const times: number[] = [];
  let asked = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await write(range(0, count, expired));
    requests = 0;
    const began = performance.now();
    const { reconciled } = await sweepExpired({ plans: table, billing }, () => now)();
    times.push(performance.now() - began);
    asked = requests;
    if (reconciled !== count) throw new Error(`${reconciled} of ${count} were looked at.`);
  }
  return { milliseconds: median(times), requests: asked };
}

const table: Record<string, string | number>[] = [];
try {
  let standing = 0;
  for (const size of sizes) {
    await write(range(standing, size, row), `Filling the table to ${size}`);
    standing = size;
    for (const count of due) {
      if (count > size) continue;
      const ours = await measure(plans, count);
      const scan = await measure(scanning, count);
      table.push({
        rows: size,
        due: count,
        'index ms': Math.round(ours.milliseconds),
        'index requests': ours.requests,
        'scan ms': Math.round(scan.milliseconds),
        'scan requests': scan.requests,
        'scan / index': Number((scan.milliseconds / ours.milliseconds).toFixed(1)),
      });
      process.stderr.write(
        `${size} rows, ${count} due: ${ours.milliseconds.toFixed(0)} ms by the index, ${scan.milliseconds.toFixed(0)} ms by a scan\n`,
      );
    }
  }
} finally {
  await engine.stop();
}
console.table(table);
