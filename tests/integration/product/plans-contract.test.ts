import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IdleAccounts } from '../../../functions/adapters/dynamodb/idle-accounts.ts';
import type { PlansTable } from '../../../functions/adapters/dynamodb/plans-table.ts';
import type { PlanFields } from '../../../functions/domain/plan.ts';
import { EXPIRY_SHARDS } from '../../../functions/domain/expiry-shard.ts';
import type { UserPlan } from '../../../schemas/plan.ts';
import { memoryIdle } from '../../fixtures/memory-idle.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { type Tables, startTables } from '../../fixtures/dynamodb-tables.ts';

let tables: Tables;
let table: PlansTable;
let idleInTable: IdleAccounts;

beforeAll(async () => {
  tables = await startTables();
  const { plansTable } = await import('../../../functions/adapters/dynamodb/plans-table.ts');
  const { idleAccounts } = await import('../../../functions/adapters/dynamodb/idle-accounts.ts');
  table = plansTable('UserPlans');
  idleInTable = idleAccounts('UserPlans');
});

afterAll(() => tables.stop());

const start = Date.parse('2030-01-15T12:00:00.000Z');
const time = fc.nat(9).map((minutes) => new Date(start + minutes * 60_000));
const userId = fc.constantFrom('ada', 'eve');
const name = (prefix: string) => fc.nat(2).map((number) => `${prefix}_${number}`);
const previous = (prefix: string) => fc.option(name(prefix), { nil: undefined });
const decision: fc.Arbitrary<PlanFields> = fc.oneof(
  fc.constant<PlanFields>({ plan: 'free' }),
  fc.record({
    plan: fc.constant('plus' as const),
    stripe_subscription_id: name('sub'),
    stripe_customer_id: name('cus'),
  }),
  fc.record({
    plan: fc.constant('plus' as const),
    plan_expires_at: time.map((at) => at.toISOString()),
    stripe_customer_id: name('cus'),
  }),
);

type Operation =
  | { do: 'open' | 'recordSignIn' | 'expired'; id: string; at: Date }
  | { do: 'decide'; id: string; decision: PlanFields; at: Date; age: number }
  | {
      do: 'adoptCustomer' | 'adoptCheckout';
      id: string;
      adopted: string;
      replacing: string | undefined;
      at: Date;
    }
  | { do: 'disownCustomer'; id: string; customer: string }
  | { do: 'close'; id: string; at: Date }
  | { do: 'empty' | 'remove' | 'unscheduled'; id: string }
  | { do: 'idle' | 'schedule'; id: string; at: Date }
  | { do: 'moveIdle' | 'closeIdle' | 'emptyIdle'; id: string; at: Date; age: number };

const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constantFrom('open' as const, 'recordSignIn' as const, 'expired' as const),
    id: userId,
    at: time,
  }),
  fc.record({ do: fc.constant('decide' as const), id: userId, decision, at: time, age: fc.nat(2) }),
  fc.record({
    do: fc.constant('adoptCustomer' as const),
    id: userId,
    adopted: name('cus'),
    replacing: previous('cus'),
    at: time,
  }),
  fc.record({
    do: fc.constant('adoptCheckout' as const),
    id: userId,
    adopted: name('cs'),
    replacing: previous('cs'),
    at: time,
  }),
  fc.record({ do: fc.constant('disownCustomer' as const), id: userId, customer: name('cus') }),
  fc.record({ do: fc.constant('close' as const), id: userId, at: time }),
  fc.record({
    do: fc.constantFrom('empty' as const, 'remove' as const, 'unscheduled' as const),
    id: userId,
  }),
  fc.record({ do: fc.constantFrom('idle' as const, 'schedule' as const), id: userId, at: time }),
  fc.record({
    do: fc.constantFrom('moveIdle' as const, 'closeIdle' as const, 'emptyIdle' as const),
    id: userId,
    at: time,
    age: fc.nat(2),
  }),
);

// The next step of a row is due eleven months after its last sign-in.
const aYearAfter = (at: Date): Date => new Date(at.getTime() + 335 * 86_400_000);

interface Stored {
  plans: PlansTable;
  idle: IdleAccounts;
}

/** Runs an operation and returns its result. `seen` are the earlier versions of the row, newest first. */
async function run(
  { plans, idle }: Stored,
  operation: Operation,
  seen: readonly UserPlan[],
): Promise<unknown> {
  switch (operation.do) {
    case 'open':
      return plans.open(operation.id, operation.at);
    case 'recordSignIn':
      return plans.recordSignIn(operation.id, operation.at, operation.at);
    case 'expired': {
      const due: string[] = [];
      for (let shard = 0; shard < EXPIRY_SHARDS; shard += 1) {
        for await (const page of plans.expired(shard, operation.at)) due.push(...page);
      }
      return due.toSorted();
    }
    case 'decide': {
      const row = seen[operation.age];
      return row && plans.decide(row, operation.decision, operation.at);
    }
    case 'adoptCustomer':
      return plans.adoptCustomer(operation.id, operation.adopted, operation.replacing, operation.at);
    case 'disownCustomer':
      return plans.disownCustomer(operation.id, operation.customer);
    case 'adoptCheckout':
      return plans.adoptCheckout(operation.id, operation.adopted, operation.replacing, operation.at);
    case 'close':
      return plans.close(operation.id, operation.at.toISOString());
    case 'empty':
      return plans.clear(operation.id);
    case 'idle': {
      const due: string[] = [];
      for (let shard = 0; shard < EXPIRY_SHARDS; shard += 1) {
        for await (const page of idle.due(shard, aYearAfter(operation.at))) due.push(...page);
      }
      return due.toSorted();
    }
    case 'unscheduled': {
      const ids: string[] = [];
      for await (const page of idle.unscheduled()) ids.push(...page);
      return ids.toSorted();
    }
    case 'schedule':
      return idle.schedule(operation.id, operation.at);
    case 'moveIdle': {
      const row = seen[operation.age];
      return (
        row &&
        idle.move(row, {
          due: operation.at.toISOString(),
          warnings: operation.age,
          returnedMail: operation.age > 0 ? `mail-${operation.age}` : undefined,
        })
      );
    }
    case 'closeIdle': {
      const row = seen[operation.age];
      return row && idle.close(row, operation.at.toISOString());
    }
    case 'emptyIdle':
      return plans.clear(operation.id, seen[operation.age]?.idle_due_at);
    default:
      return plans.remove(operation.id);
  }
}

test('the plans table and MemoryPlans give the same results for any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOperation, { maxLength: 25, size: 'max' }), async (operations) => {
      const memory = new MemoryPlans();
      const inMemory = { plans: memory, idle: memoryIdle(memory) };
      const inTable = { plans: table, idle: idleInTable };
      for (const id of ['ada', 'eve']) await table.remove(id);
      const seen = new Map<string, UserPlan[]>();
      for (const next of operations) {
        const rows = seen.get(next.id) ?? [];
        expect(await run(inMemory, next, rows)).toEqual(await run(inTable, next, rows));
        const row = await table.read(next.id);
        expect(await memory.read(next.id)).toEqual(row);
        if (row) seen.set(next.id, [row, ...rows]);
      }
    }),
    { numRuns: 60 },
  );
});
