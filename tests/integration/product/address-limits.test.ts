import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AddressLimits } from '../../../functions/adapters/dynamodb/address-limits.ts';
import { startTables } from '../../fixtures/worlds/dynamodb-tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
let limits: AddressLimits;
beforeAll(async () => {
  tables = await startTables();
  const { addressLimits } = await import('../../../functions/adapters/dynamodb/address-limits.ts');
  limits = addressLimits('AddressChanges');
});
afterAll(() => tables.stop());

const now = new Date('2030-01-15T12:00:00Z');
const taken = async (
  email: string,
  at = now,
  kind: Parameters<AddressLimits['take']>[0] = 'mail',
): Promise<number> => {
  const all = await Promise.all(Array.from({ length: 25 }, () => limits.take(kind, email, at)));
  return all.filter(Boolean).length;
};

test('calls at once can’t pass the day’s limit of an address, in any case of its letters', async () => {
  expect(await taken('ada@example.com')).toBe(10);
  expect(await taken('ADA@Example.com')).toBe(0);
  expect(await limits.take('code', 'ada@example.com', now)).toBe(true);
});

test.each([
  ['eve@example.com', ['eve+shop@example.com', '"Eve"@example.com', '"eve+a"@example.com']],
  ['eve.s@gmail.com', ['e.v.e.s@gmail.com', 'eves+1@googlemail.com']],
])('the spellings that lead to the mailbox of %s share its limit', async (email, spellings) => {
  expect(await taken(email)).toBe(10);
  for (const spelling of spellings) expect(await taken(spelling)).toBe(0);
});

test('another address and another day have limits of their own', async () => {
  expect(await taken('bob@example.com')).toBe(10);
  expect(await taken('b.ob@example.com')).toBe(10);
  expect(await taken('bob@example.com', new Date('2030-01-16T00:00:00Z'))).toBe(10);
});

test('a stranger who has spent the codes of an address keeps its owner waiting for an hour at most', async () => {
  const late = new Date('2030-01-15T12:59:59Z');
  expect(await taken('eva@example.com', now, 'code')).toBe(5);
  expect(await taken('eva@example.com', late, 'code')).toBe(0);
  expect(await taken('eva@example.com', new Date('2030-01-15T13:00:00Z'), 'code')).toBe(5);
});
