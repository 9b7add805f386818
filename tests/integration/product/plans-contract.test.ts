import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlansTable } from '../../../functions/adapters/dynamodb/plans-table.ts';
import type { PlanFields } from '../../../functions/domain/plan.ts';
import { EXPIRY_SHARDS } from '../../../functions/domain/expiry-shard.ts';
import type { UserPlan } from '../../../schemas/plan.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { type PlansEngine, startPlansEngine } from '../../fixtures/plans-engine.ts';

let engine: PlansEngine;
let table: PlansTable;

beforeAll(async () => {
  engine = await startPlansEngine();
  const { plansTable } = await import('../../../functions/adapters/dynamodb/plans-table.ts');
  table = plansTable('UserPlans');
});

afterAll(() => engine.stop());

const start = Date.parse('2030-01-15T12:00:00.000Z');
const moment = fc.nat(9).map((minutes) => new Date(start + minutes * 60_000));
const person = fc.constantFrom('ada', 'eve');
const name = (prefix: string) => fc.nat(2).map((number) => `${prefix}_${number}`);
const before = (prefix: string) => fc.option(name(prefix), { nil: undefined });
const decision: fc.Arbitrary<PlanFields> = fc.oneof(
  fc.constant<PlanFields>({ plan: 'free' }),
  fc.record({
    plan: fc.constant('plus' as const),
    stripe_subscription_id: name('sub'),
    stripe_customer_id: name('cus'),
  }),
  fc.record({
    plan: fc.constant('plus' as const),
    plan_expires_at: moment.map((at) => at.toISOString()),
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
  | { do: 'close'; id: string; at: Date }
  | { do: 'empty' | 'remove'; id: string };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constantFrom('open' as const, 'recordSignIn' as const, 'expired' as const),
    id: person,
    at: moment,
  }),
  fc.record({ do: fc.constant('decide' as const), id: person, decision, at: moment, age: fc.nat(2) }),
  fc.record({
    do: fc.constant('adoptCustomer' as const),
    id: person,
    adopted: name('cus'),
    replacing: before('cus'),
    at: moment,
  }),
  fc.record({
    do: fc.constant('adoptCheckout' as const),
    id: person,
    adopted: name('cs'),
    replacing: before('cs'),
    at: moment,
  }),
  fc.record({ do: fc.constant('close' as const), id: person, at: moment }),
  fc.record({ do: fc.constantFrom('empty' as const, 'remove' as const), id: person }),
);

/**
 * Does it, and says what came of it. `seen` are the rows that somebody has read of this person, youngest
 * first.
 */
async function done(plans: PlansTable, one: Operation, seen: readonly UserPlan[]): Promise<unknown> {
  switch (one.do) {
    case 'open':
      return plans.open(one.id, one.at);
    case 'recordSignIn':
      return plans.recordSignIn(one.id, one.at);
    case 'expired': {
      const due: string[] = [];
      for (let shard = 0; shard < EXPIRY_SHARDS; shard += 1) {
        for await (const page of plans.expired(shard, one.at)) due.push(...page);
      }
      return due.toSorted();
    }
    case 'decide': {
      const row = seen[one.age];
      return row && plans.decide(row, one.decision, one.at);
    }
    case 'adoptCustomer':
      return plans.adoptCustomer(one.id, one.adopted, one.replacing, one.at);
    case 'adoptCheckout':
      return plans.adoptCheckout(one.id, one.adopted, one.replacing, one.at);
    case 'close':
      return plans.close(one.id, one.at.toISOString());
    case 'empty':
      return plans.clear(one.id);
    default:
      return plans.remove(one.id);
  }
}

test('the plans table and the one in memory answer alike, whatever is asked in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25, size: 'max' }), async (operations) => {
      const memory = new MemoryPlans();
      for (const id of ['ada', 'eve']) await table.remove(id);
      const seen = new Map<string, UserPlan[]>();
      for (const one of operations) {
        const rows = seen.get(one.id) ?? [];
        expect(await done(memory, one, rows)).toEqual(await done(table, one, rows));
        const row = await table.read(one.id);
        expect(await memory.read(one.id)).toEqual(row);
        if (row) seen.set(one.id, [row, ...rows]);
      }
    }),
    { numRuns: 60 },
  );
});
