import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { exportUsers } from '../../../../functions/schedules/user-export.ts';
import { type BackedUpUser, userExportState, UserExportState } from '../../../../schemas/rows/user-backup.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const START = Date.parse('2030-01-15T00:05:00Z');
const HOUR = 3_600_000;
watchLog();

const user = (digit: string, count: number): BackedUpUser => ({
  sub: `${digit}${String(count).padStart(7, '0')}-0000-4000-8000-000000000000`,
  username: `${digit}${count}`,
  email: `${digit}${count}@example.com`,
  email_verified: true,
  enabled: true,
  created_at: '2029-01-01T00:00:00.000Z',
  identities: [],
});

let now: number;
let pool: BackedUpUser[];
let objects: Map<string, Buffer>;
let isOver: () => boolean;
let poolId: string;
let turns: number;

beforeEach(() => {
  now = START;
  pool = [user('0', 1), user('0', 2), user('7', 1), user('f', 1)];
  objects = new Map();
  isOver = () => false;
  poolId = 'us-east-1_Old';
  turns = 0;
});

/** Resolves with the outcome and the age that was counted, in hours. */
async function run(failingAt?: string) {
  const backups = {
    get: async (key: string) => objects.get(key),
    put: async (key: string, body: Uint8Array) => {
      if (failingAt !== undefined && key.includes(failingAt)) throw new Error('S3 is down');
      objects.set(key, Buffer.from(body));
    },
  };
  const users = {
    async *beginningWith(prefix: string) {
      // Two a page, which makes a second page of the first part.
      const found = pool.filter(({ sub }) => sub.startsWith(prefix));
      for (let from = 0; from < found.length; from += 1) yield found.slice(from, from + 1);
    },
  };
  const job = exportUsers(
    { poolId, users, backups },
    () => new Date(now),
    async () => void (turns += 1),
  );
  let outcome: unknown;
  const written = await metricsOf(async () => {
    outcome = await job(() => isOver()).catch(String);
  });
  return { outcome, age: Number(written.at(-1)?.['UserExportAge']) / 3600 };
}

const state = () => UserExportState.parse(JSON.parse(String(objects.get(userExportState(poolId)))));
const exported = (day: string) =>
  [...objects]
    .filter(([key]) => key.startsWith(`users/${poolId}/${day}/`))
    .flatMap(([, body]) => gunzipSync(body).toString().split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as BackedUpUser);

test('all users are stored once a day, a page in each turn of ListUsers’ quota, and a later run of the day does nothing', async () => {
  expect(await run()).toEqual({ outcome: { users: 4, unfinished: false }, age: 0 });
  expect(exported('2030-01-15')).toEqual(pool);
  expect(turns).toBe(5);
  const stored = new Map(objects);
  now += 5 * HOUR;
  pool.push(user('a', 1));
  expect(await run()).toEqual({ outcome: { users: 4, unfinished: false }, age: 5 });
  expect(objects).toEqual(stored);
  now = START + 24 * HOUR;
  expect(await run()).toEqual({ outcome: { users: 5, unfinished: false }, age: 0 });
  expect(exported('2030-01-16')).toHaveLength(5);
  expect(exported('2030-01-15')).toHaveLength(4);
});

test('a run that is out of time leaves the rest to the next one, which repeats no part', async () => {
  let looks = 0;
  // In the midst of the first part.
  isOver = () => (looks += 1) > 2;
  expect(await run()).toMatchObject({ outcome: { users: 0, unfinished: true } });
  expect(exported('2030-01-15')).toEqual([]);
  looks = -6;
  expect(await run()).toMatchObject({ outcome: { users: 2, unfinished: true } });
  isOver = () => false;
  now += HOUR;
  // Counted from the beginning of the export: later users aren't in it for certain.
  expect(await run()).toEqual({ outcome: { users: 4, unfinished: false }, age: 1 });
  expect(exported('2030-01-15')).toEqual(pool);
});

test('a day without an export shows in the age of the last one, or of the first try', async () => {
  await run('/7.jsonl');
  now += 30 * HOUR;
  expect(await run('/7.jsonl')).toMatchObject({ age: 30 });
  objects.clear();
  now = START;
  await run();
  now += 24 * HOUR;
  expect(await run('/7.jsonl')).toEqual({ outcome: 'Error: S3 is down', age: 24 });
  now += 6 * HOUR;
  expect(await run('/7.jsonl')).toEqual({ outcome: 'Error: S3 is down', age: 30 });
  expect(state()).toMatchObject({ parts: 7, complete_as_of: new Date(START).toISOString() });
});

test('a new, empty pool leaves the exports of the lost one as they are', async () => {
  await run();
  const stored = new Map(objects);
  const lost = pool;
  poolId = 'us-east-1_New';
  pool = [];
  now += 24 * HOUR;
  expect(await run()).toEqual({ outcome: { users: 0, unfinished: false }, age: 0 });
  for (const [key, body] of stored) expect(objects.get(key)).toEqual(body);
  expect(exported('2030-01-16')).toEqual([]);
  poolId = 'us-east-1_Old';
  expect(exported('2030-01-15')).toEqual(lost);
  expect(state()).toMatchObject({ day: '2030-01-15', parts: 16, users: 4 });
});
