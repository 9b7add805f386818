import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IdleAccounts } from '../../../functions/adapters/dynamodb/idle-accounts.ts';
import type { PlansTable } from '../../../functions/adapters/dynamodb/plans-table.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { anyOperation, run } from '../../fixtures/fakes/plans-operations.ts';
import { type Tables, startTables } from '../../fixtures/worlds/dynamodb-tables.ts';
import { memoryIdle, memoryPlans } from '../../fixtures/fakes/memory-adapters.ts';

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

test('the plans table and the same adapter over MemoryTable give the same results for any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOperation, { maxLength: 25, size: 'max' }), async (operations) => {
      const memory = memoryPlans();
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
