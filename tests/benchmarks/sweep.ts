/**
 * Measures the expiry sweep: `npm run bench:sweep -- [rows …]`. Compares the index with a table scan in a
 * real engine of 10,000, 100,000 and 1,000,000 rows, of which 0, 100 and 10,000 have expired.
 * A figure is the median of three runs. Stripe answers from memory, so only the table is measured.
 */
import { parseArgs } from 'node:util';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { UserPlan } from '../../schemas/plan.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../functions/domain/expiry-shard.ts';
import { MemoryBilling } from '../fixtures/memory-billing.ts';
import { startTables } from '../fixtures/dynamodb-tables.ts';
import { type Measurement, median, report } from './report.ts';

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
const engine = await startTables();
const { dynamodb } = engine;
process.env['PLANS_TABLE'] = 'UserPlans';
process.env['STRIPE_API'] = 'http://127.0.0.1:1';
process.env['STRIPE_SECRET_ID'] = 'none';
const { plansTable } = await import('../../functions/adapters/dynamodb/plans-table.ts');
const { sweepExpired } = await import('../../functions/schedules/expiry-sweep.ts');
const plans = plansTable('UserPlans');
const billing = new MemoryBilling();
// Silences the sweep's log.
console.info = () => {};

let requests = 0;
dynamodb.middlewareStack.add(
  (next) => (args) => {
    requests += 1;
    return next(args);
  },
  { step: 'build' },
);

/** A row on Free, on Plus, or (one in ten) on Plus until a later date. */
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

async function write(rows: Iterable<UserPlan>, label = ''): Promise<void> {
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
      if (label && written % 50_000 < BATCH) process.stderr.write(`\r${label}: ${written} rows`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  if (label) process.stderr.write('\n');
}

function* range<T>(from: number, to: number, item: (index: number) => T): Generator<T> {
  for (let index = from; index < to; index += 1) yield item(index);
}

/**
 * The plans table with a scan instead of the index. One scan, for the first shard, returns the rows of all
 * shards.
 */
const scanning = Object.assign(plansTable('UserPlans'), {
  async *expired(shard: number, at: Date): AsyncGenerator<string[]> {
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
});

async function measure(
  table: typeof plans,
  count: number,
): Promise<{ milliseconds: number; requests: number }> {
  const times: number[] = [];
  let requestsOfRun = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await write(range(0, count, expired));
    requests = 0;
    const began = performance.now();
    const { reconciled } = await sweepExpired({ plans: table, billing }, () => now)();
    times.push(performance.now() - began);
    requestsOfRun = requests;
    if (reconciled !== count) throw new Error(`${reconciled} of ${count} were reconciled.`);
  }
  return { milliseconds: median(times), requests: requestsOfRun };
}

const measurements: Measurement[] = [];
try {
  let filled = 0;
  for (const size of sizes) {
    await write(range(filled, size, row), `Filling the table to ${size}`);
    filled = size;
    for (const count of due) {
      if (count > size) continue;
      const index = await measure(plans, count);
      const scan = await measure(scanning, count);
      const what = `${size.toLocaleString('en-US')} rows, ${count.toLocaleString('en-US')} due`;
      measurements.push(
        { what: `${what}: index`, value: index.milliseconds, unit: 'ms' },
        { what: `${what}: index`, value: index.requests, unit: 'requests' },
        { what: `${what}: scan`, value: scan.milliseconds, unit: 'ms' },
        { what: `${what}: scan / index`, value: scan.milliseconds / index.milliseconds, unit: 'ratio' },
      );
      process.stderr.write(
        `${what}: ${index.milliseconds.toFixed(0)} ms with the index, ${scan.milliseconds.toFixed(0)} ms with a scan\n`,
      );
    }
  }
} finally {
  await engine.stop();
}
report(measurements);
