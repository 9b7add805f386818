import * as fc from 'fast-check';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingMails } from '../../../functions/adapters/dynamodb/user-plans/billing-mails.ts';
import { idleAccounts } from '../../../functions/adapters/dynamodb/user-plans/idle-accounts.ts';
import { noticeLimits } from '../../../functions/adapters/dynamodb/user-plans/notice-limits.ts';
import { eventCursor } from '../../../functions/adapters/dynamodb/cursors.ts';
import { plansTable } from '../../../functions/adapters/dynamodb/user-plans/plans-table.ts';
import { waitlistTable } from '../../../functions/adapters/dynamodb/waitlist-table.ts';
import { EXPIRY_SHARDS } from '../../../functions/domain/expiry-shard.ts';
import { inUse } from '../../../functions/domain/idle.ts';
import { watchLog } from '../../fixtures/fakes/watch-log.ts';
import { anyOperation, run, userIds } from './plans-operations.ts';
import { type Tables, startTables } from '../../fixtures/worlds/dynamodb-tables.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { memoryIdle, memoryPlans } from '../../fixtures/fakes/memory-adapters.ts';

const now = new Date('2026-01-20T12:00:00Z');
const planTable = plansTable('UserPlans');
const waitlist = waitlistTable('Waitlist');
const cursor = eventCursor('StripeWork');
const notices = noticeLimits('UserPlans');
let tables: Tables;
const put = (Item: Record<string, unknown>) =>
  tables.dynamodb.send(new PutCommand({ TableName: 'UserPlans', Item }));

beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const logged = watchLog();

const expiredIds = async (at: Date): Promise<string[]> => {
  const ids: string[] = [];
  for (let shard = 0; shard < EXPIRY_SHARDS; shard += 1) {
    for await (const page of planTable.expired(shard, at)) ids.push(...page);
  }
  return ids;
};

// First, since it lists all rows that are due.
test('the table and MemoryTable give the same results for any sequence of operations', async () => {
  const inTable = { planTable, idle: idleAccounts('UserPlans') };
  await fc.assert(
    fc.asyncProperty(fc.array(anyOperation, { maxLength: 25, size: 'max' }), async (operations) => {
      const memory = memoryPlans();
      const inMemory = { planTable: memory, idle: memoryIdle(memory) };
      for (const id of userIds) await inTable.planTable.remove(id);
      const seen = new Map<string, UserPlan[]>();
      for (const next of operations) {
        const rows = seen.get(next.id) ?? [];
        expect(await run(inMemory, next, rows)).toEqual(await run(inTable, next, rows));
        const row = await inTable.planTable.read(next.id);
        expect(await memory.read(next.id)).toEqual(row);
        if (row) seen.set(next.id, [row, ...rows]);
      }
    }),
    { numRuns: 60 },
  );
});

test('a row without a version, as support writes it, takes one decision', async () => {
  await put({ id: 'by-hand', plan: 'plus' });
  const row = await planTable.read('by-hand');
  expect(row?.version).toBe(0);
  expect(row && (await planTable.decide(row, { plan: 'free' }, now))).toMatchObject({ version: 1 });
  expect(row && (await planTable.decide(row, { plan: 'plus' }, now))).toBeUndefined();
});

test('a row that breaks a rule is logged by user and rule when it is read, and when it is written', async () => {
  await put({ id: 'broken', plan: 'free', plan_expires_at: now.toISOString() });
  const row = await planTable.read('broken');
  expect(logged.errors).toEqual([{ event: 'plan-contradiction', user: 'broken', rule: 'end-without-plus' }]);
  expect(
    row && (await planTable.decide(row, { plan: 'plus', stripe_customer_id: 'cus_1' }, now)),
  ).toBeDefined();
  expect(logged.errors.slice(1)).toEqual([
    { event: 'plan-contradiction', user: 'broken', rule: 'plus-without-basis' },
  ]);
});

test('the expiry index holds only rows with an expiry, and lists those that have expired', async () => {
  const due = await planTable.open('due', now);
  await planTable.decide(due, { plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.000Z' }, now);
  const later = await planTable.open('later', now);
  await planTable.decide(later, { plan: 'plus', plan_expires_at: '2026-01-20T12:00:00.001Z' }, now);
  await planTable.open('never', now);
  expect(await expiredIds(now)).toEqual(['due']);

  const row = await planTable.read('due');
  if (row) await planTable.decide(row, { plan: 'free' }, now);
  expect(await expiredIds(now)).toEqual([]);
  expect(await expiredIds(new Date('2027-01-01T00:00:00Z'))).toEqual(['later']);
});

test('a cleared row has nothing about its user but when it becomes idle, stays closing, and takes no earlier decision', async () => {
  const row = await planTable.open('emptied', now);
  const plus = await planTable.decide(
    row,
    { plan: 'plus', plan_expires_at: now.toISOString(), stripe_customer_id: 'cus_1' },
    now,
  );
  await planTable.setCustomerIfUnchanged('emptied', 'cus_1', undefined, now);
  await planTable.adoptCheckout('emptied', 'cs_1', undefined, now);
  await planTable.recordSignIn('emptied', now, now);
  await notices.claim('password', 'emptied', now);
  await planTable.close('emptied', '2026-01-20T12:02:00.000Z');
  await planTable.clear('emptied');
  expect(await planTable.read('emptied')).toEqual({
    id: 'emptied',
    plan: 'free',
    version: 4,
    closing_until: '2026-01-20T12:02:00.000Z',
    ...inUse('emptied', now),
  });
  expect(plus && (await planTable.decide(plus, { plan: 'plus' }, now))).toBeUndefined();
  expect(await expiredIds(now)).not.toContain('emptied');
});

test('a mail about a changed password is due once in five minutes, and for one of two at once', async () => {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  await planTable.open('changes', now);
  const claims = await Promise.all(
    [1, 2].map((seconds) => notices.claim('password', 'changes', after(seconds))),
  );
  expect(claims.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  expect(await notices.claim('password', 'changes', after(290))).toBe(false);
  expect(await notices.claim('password', 'changes', after(302))).toBe(true);
  expect(await planTable.read('changes')).toMatchObject({ password_mail_at: after(302).toISOString() });
});

test('one caller at a time has the lease to mail a user, and only for the row that it has read', async () => {
  const mails = billingMails('UserPlans');
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const leaseOf = (seconds: number, name: string) => `${after(seconds).toISOString()} ${name}`;
  await put({ id: 'mailed', plan: 'plus', version: 1, billing_notified: 'old' });
  const row = await planTable.read('mailed');
  if (!row) throw new Error('There is no row.');
  const claim = (of: UserPlan, until: string, at: Date) =>
    mails.claim(of, { lease: until, maybeNotified: `by ${until}` }, at);
  const claims = [claim(row, leaseOf(120, 'a'), now), claim(row, leaseOf(120, 'b'), now)];
  const [first] = await Promise.all(claims);
  expect((await Promise.all(claims)).filter(Boolean)).toEqual([true]);
  const mine = leaseOf(120, first ? 'a' : 'b');
  await mails.store('mailed', 'stranger', { lease: leaseOf(120, 'c'), maybeNotified: undefined });
  expect(await planTable.read('mailed')).toMatchObject({
    billing_notified: 'old',
    billing_maybe_notified: `by ${mine}`,
  });
  await mails.store('mailed', 'half', { lease: mine, maybeNotified: 'next' });
  expect(await planTable.read('mailed')).toMatchObject({
    billing_notified: 'half',
    billing_maybe_notified: 'next',
    billing_notice_lease: mine,
  });
  expect(await claim(row, leaseOf(300, 'd'), after(121))).toBe(false);
  await mails.store('mailed', 'new', { lease: mine, maybeNotified: undefined });
  const read = await planTable.read('mailed');
  expect(read).toMatchObject({ billing_notified: 'new' });
  expect(Object.keys(read ?? {}).filter((name) => name.startsWith('billing_maybe_notified'))).toEqual([]);
  expect(await claim(read!, leaseOf(300, 'd'), after(121))).toBe(true);
  expect(await claim(read!, leaseOf(600, 'e'), after(299))).toBe(false);
  expect(await claim({ ...read!, plan_expires_at: now.toISOString() }, leaseOf(600, 'e'), after(301))).toBe(
    false,
  );
  expect(await claim(read!, leaseOf(600, 'e'), after(301))).toBe(true);
  await planTable.close('mailed', after(1_000).toISOString());
  expect(await claim(read!, leaseOf(900, 'f'), after(602))).toBe(false);
});

test('a waitlist entry whose answer was lost can be written again, and another entry of its address can’t', async () => {
  const entry = { email: 'lin@example.com', name: 'Lin', created_at: now.toISOString() };
  expect(await waitlist.entryOf(entry.email)).toBeUndefined();
  expect(await waitlist.add(entry)).toBe(true);
  expect(await waitlist.add(entry)).toBe(true);
  expect(await waitlist.add({ ...entry, created_at: '2026-01-20T12:00:01.000Z' })).toBe(false);
  expect(await waitlist.entryOf(entry.email)).toEqual(entry);
});

test('the event cursor is undefined until it is moved', async () => {
  expect(await cursor.read()).toBeUndefined();
  await cursor.move(now);
  expect(await cursor.read()).toEqual(now);
});
