import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AddressLimits, addressLimits } from '../../../functions/adapters/dynamodb/address-limits.ts';
import { appCodesTable } from '../../../functions/adapters/dynamodb/app-codes-table.ts';
import { appSessionsTable } from '../../../functions/adapters/dynamodb/app-sessions-table.ts';
import {
  type BillingTasks,
  billingTasks,
  tasksOf,
} from '../../../functions/adapters/dynamodb/billing-tasks.ts';
import { eventCursor } from '../../../functions/adapters/dynamodb/cursors.ts';
import { type Proofs, proofsHashedWith } from '../../../functions/adapters/dynamodb/proofs-table.ts';
import { type MailPurpose, mailPurposes } from '../../../schemas/product/mail-limits.ts';
import type { AppCode } from '../../../schemas/rows/app-code.ts';
import type { AppSession } from '../../../schemas/rows/app-session.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import {
  memoryAddressLimits,
  memoryAppCodes,
  memoryAppSessions,
  memoryProofs,
  memoryTasks,
} from '../../fixtures/fakes/memory-adapters.ts';
import { startTables, type Tables } from '../../fixtures/worlds/dynamodb-tables.ts';

/** Adapters over DynamoDB, and over the tables in memory that other tests have. */

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());
// Each test has its own items.
let name = '';
beforeEach(({ task }) => {
  name = task.id;
});
const HOUR = 3_600_000;

describe.each([
  ['DynamoDB', { codes: appCodesTable('AppCodes'), sessions: appSessionsTable('AppSessions') }],
  ['memory', { codes: memoryAppCodes(), sessions: memoryAppSessions() }],
])('of an app, in %s,', (_, { codes, sessions }) => {
  const now = new Date('2026-01-20T12:00:00.000Z');
  const seconds = now.getTime() / 1000;
  const APP = 'https://app.example/done';

  describe('a code', () => {
    const codeOf = (changes: Partial<AppCode> = {}): AppCode => ({
      code_hash: name,
      cognito_code: 'cognitos',
      redirect_uri: APP,
      code_challenge: 'challenge',
      expires_at: seconds + 60,
      ...changes,
    });

    test('is taken by one of many at the same moment', async () => {
      await codes.add(codeOf());
      const taken = await Promise.all(Array.from({ length: 5 }, () => codes.take(name, APP, now)));
      expect(taken.filter(Boolean)).toEqual([codeOf()]);
      expect(await codes.take(name, APP, now)).toBeUndefined();
    });

    test('is not taken for another address, nor by another code, and stays', async () => {
      await codes.add(codeOf());
      expect(await codes.take(name, `${APP}/`, now)).toBeUndefined();
      expect(await codes.take(`${name}2`, APP, now)).toBeUndefined();
      expect(await codes.take(name, APP, now)).toEqual(codeOf());
    });

    test('is not taken once it has expired', async () => {
      await codes.add(codeOf());
      const at = (second: number) => new Date((seconds + second) * 1000);
      expect(await codes.take(name, APP, at(60))).toBeUndefined();
      expect(await codes.take(name, APP, at(59.999))).toEqual(codeOf());
    });

    test('is not replaced by the same code', async () => {
      expect(await codes.add(codeOf())).toBe(true);
      expect(await codes.add(codeOf({ cognito_code: 'another' }))).toBe(false);
      expect(await codes.take(name, APP, now)).toEqual(codeOf());
    });
  });

  describe('a session', () => {
    const sessionOf = (changes: Partial<AppSession> = {}): AppSession => ({
      user_id: name,
      id: 'first',
      redirect_uri: APP,
      created_at: now.toISOString(),
      used_at: now.toISOString(),
      refreshes: 0,
      expires_at: seconds + 60,
      ...changes,
    });
    const key = () => ({ user_id: name, id: 'first' });
    const shown = (refreshes: number) => ({ refreshes, hash: 'hash' });
    const later = new Date(now.getTime() + 900_000);

    test('counts one of many refreshes with the same token', async () => {
      await sessions.add(sessionOf());
      const counted = await Promise.all(
        Array.from({ length: 5 }, () => sessions.countRefresh(key(), shown(0), later)),
      );
      expect(counted.filter(Boolean)).toHaveLength(1);
      expect(await sessions.read(key())).toEqual(
        sessionOf({ refreshes: 1, used_token: 'hash', used_at: later.toISOString() }),
      );
    });

    test('counts on from a token that is newer than the item', async () => {
      await sessions.add(sessionOf({ refreshes: 3 }));
      expect(await sessions.countRefresh(key(), shown(2), later)).toBe(false);
      expect(await sessions.countRefresh(key(), shown(7), later)).toBe(true);
      expect(await sessions.read(key())).toMatchObject({ refreshes: 8 });
    });

    test('that is over counts nothing, and isn’t made again', async () => {
      expect(await sessions.countRefresh(key(), shown(0), later)).toBe(false);
      expect(await sessions.read(key())).toBeUndefined();
    });

    test('is ended by one of many', async () => {
      await sessions.add(sessionOf());
      const ended = await Promise.all(Array.from({ length: 5 }, () => sessions.remove(key())));
      expect(ended.filter(Boolean)).toEqual([sessionOf()]);
    });

    test('is listed with the user’s others until it expires', async () => {
      await sessions.add(sessionOf());
      await sessions.add(sessionOf({ id: 'expired', expires_at: seconds }));
      await sessions.add(sessionOf({ id: 'second' }));
      await sessions.add(sessionOf({ user_id: `${name}2` }));
      expect((await sessions.of(name, now)).apps).toEqual([sessionOf(), sessionOf({ id: 'second' })]);
      await sessions.removeAll(name);
      expect((await sessions.of(name, new Date(0))).apps).toEqual([]);
      expect((await sessions.of(`${name}2`, now)).apps).toHaveLength(1);
    });
  });
});

const start = Date.parse('2030-01-15T12:00:00Z');
const after = (hours: number): Date => new Date(start + hours * HOUR);
const time = (hours: number): string => after(hours).toISOString();

/** All that is due, in the order of the customers. */
async function due(tasks: BillingTasks, hours: number): Promise<BillingTask[]> {
  const found: BillingTask[] = [];
  for await (const task of tasks.due(after(hours))) found.push(task);
  return found.toSorted((a, b) => (a.customer_id < b.customer_id ? -1 : 1));
}

const ada = { work: 'reconcile', customer_id: 'cus_ada' } as const;

describe.each([
  ['DynamoDB', () => billingTasks('StripeWork')],
  ['memory', () => memoryTasks()],
])('tasks in %s', (_, create) => {
  let tasks: BillingTasks;
  const enqueue = (task: Partial<Parameters<BillingTasks['enqueue']>[0]> = {}, hours = 0) =>
    tasks.enqueue({ ...ada, user_id: 'ada', failure: 'no', ...task }, after(hours), after(hours + 1));

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

test('the tasks share their table with the catch-up’s cursor, which is no task, and support reads one that was given up', async () => {
  await eventCursor('StripeWork').move(after(0));
  const tasks = billingTasks('StripeWork');
  await tasks.enqueue({ ...ada, user_id: 'ada', failure: 'no' }, after(0), after(1));
  await tasks.postpone(ada, 'no', undefined);
  expect(await due(tasks, 1_000)).toEqual([]);
  expect(await tasksOf('StripeWork', 'cus_ada')).toMatchObject([{ ...ada, given_up: true }]);
});

describe.each<[string, () => AddressLimits]>([
  ['DynamoDB', () => addressLimits('Limits')],
  ['memory', () => memoryAddressLimits()],
])('the limits of an address in %s', (_, create) => {
  const now = after(0);
  const limits = create();
  const taken = async (email: string, at = now, purpose: MailPurpose = 'sign-up'): Promise<number> => {
    const all = await Promise.all(Array.from({ length: 25 }, () => limits.take(purpose, email, at)));
    return all.filter(Boolean).length;
  };

  test('calls at once can’t pass the day’s limit of an address, in any case of its letters', async () => {
    expect(await taken('ada@example.com')).toBe(10);
    expect(await taken('ADA@Example.com')).toBe(0);
  });

  test.each(Object.keys(mailPurposes) as MailPurpose[])(
    'only the spellings of a mailbox share a count of the purpose %s',
    async (purpose) => {
      const isShared = mailPurposes[purpose].countedBy === 'mailbox';
      expect(await taken('eve+shop@example.com', now, purpose)).toBe(10);
      expect(await taken('Eve+a@example.com', now, purpose)).toBe(isShared ? 0 : 10);
      expect(await taken('eve@example.com', now, purpose)).toBe(10);
    },
  );

  test('a complaint is about the mailbox, until it is lifted or a year has passed', async () => {
    const inAYear = new Date(now.getTime() + 366 * 86_400_000);
    await limits.complain('Eve+shop@example.com', now);
    expect(await limits.isComplained('eve+a@example.com', now)).toBe(true);
    expect(await limits.isComplained('eve@example.com', now)).toBe(false);
    expect(await limits.isComplained('eve+a@example.com', inAYear)).toBe(false);
    await limits.liftComplaint('eve+a@example.com');
    expect(await limits.isComplained('eve+shop@example.com', now)).toBe(false);
  });

  test('another address and another day have limits of their own', async () => {
    expect(await taken('bob@example.com')).toBe(10);
    expect(await taken('b.ob@example.com')).toBe(10);
    expect(await taken('bob@example.com', new Date('2030-01-16T00:00:00Z'))).toBe(10);
  });
});

describe.each<[string, () => Proofs]>([
  ['DynamoDB', () => proofsHashedWith('Proofs', async () => 'a key')],
  ['memory', () => memoryProofs()],
])('the links in mails in %s', (_, create) => {
  const proofs = create();
  const email = 'ada@example.com';
  const now = after(0);
  const reset = { purpose: 'reset', email } as const;

  test('are good at once for their purpose alone, and using one leaves the others', async () => {
    const [first, second] = [await proofs.create(reset, now), await proofs.create(reset, now)];
    expect(await proofs.read(first, 'end-contract', now)).toBeUndefined();
    await proofs.remove(first);
    expect(await proofs.read(first, 'reset', now)).toBeUndefined();
    expect(await proofs.read(second, 'reset', now)).toMatchObject(reset);
    expect(await proofs.read('x'.repeat(43), 'reset', now)).toBeUndefined();
  });

  test.each([
    ['reset', 24],
    ['old-address', 7 * 24],
  ] as const)('of %s work for %i hours, however late DynamoDB removes them', async (purpose, hours) => {
    const token = await proofs.create({ purpose, email }, now);
    expect(await proofs.read(token, purpose, after(hours - 0.001))).toMatchObject({ email });
    expect(await proofs.read(token, purpose, after(hours))).toBeUndefined();
  });
});

test('the table of links has no token, and who writes it without the key makes no link', async () => {
  const token = await proofsHashedWith('Proofs', async () => 'a key').create(
    { purpose: 'reset', email: 'ada@example.com' },
    after(0),
  );
  const { Items } = await tables.dynamodb.send(new ScanCommand({ TableName: 'Proofs' }));
  expect(JSON.stringify(Items)).not.toContain(token);
  const withoutKey = proofsHashedWith('Proofs', async () => 'another key');
  expect(await withoutKey.read(token, 'reset', after(0))).toBeUndefined();
});
