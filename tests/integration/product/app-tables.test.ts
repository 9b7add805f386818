import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppCodesTable } from '../../../functions/adapters/dynamodb/app-codes-table.ts';
import type { AppSessionsTable } from '../../../functions/adapters/dynamodb/app-sessions-table.ts';
import type { AppCode } from '../../../schemas/rows/app-code.ts';
import type { AppSession } from '../../../schemas/rows/app-session.ts';
import { startTables, type Tables } from '../../fixtures/worlds/dynamodb-tables.ts';
import { memoryAppCodes, memoryAppSessions } from '../../fixtures/fakes/memory-adapters.ts';

const now = new Date('2026-01-20T12:00:00.000Z');
const seconds = now.getTime() / 1000;
const APP = 'https://app.example/done';

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

interface Stores {
  codes: AppCodesTable;
  sessions: AppSessionsTable;
}

describe.each<[string, () => Promise<Stores>]>([
  ['DynamoDB', inDynamoDb],
  ['the fakes', async () => ({ codes: memoryAppCodes(), sessions: memoryAppSessions() })],
])('%s', (_, open) => {
  let codes: AppCodesTable;
  let sessions: AppSessionsTable;
  beforeEach(async () => {
    ({ codes, sessions } = await open());
  });

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
    const later = new Date(now.getTime() + 900_000);

    test('counts one of many refreshes with the same token', async () => {
      await sessions.add(sessionOf());
      const counted = await Promise.all(
        Array.from({ length: 5 }, () => sessions.countRefresh(key(), 0, later)),
      );
      expect(counted.filter(Boolean)).toHaveLength(1);
      expect(await sessions.read(key())).toEqual(sessionOf({ refreshes: 1, used_at: later.toISOString() }));
    });

    test('counts on from a token that is newer than the item', async () => {
      await sessions.add(sessionOf({ refreshes: 3 }));
      expect(await sessions.countRefresh(key(), 2, later)).toBe(false);
      expect(await sessions.countRefresh(key(), 7, later)).toBe(true);
      expect(await sessions.read(key())).toMatchObject({ refreshes: 8 });
    });

    test('that is over counts nothing, and isn’t made again', async () => {
      expect(await sessions.countRefresh(key(), 0, later)).toBe(false);
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

async function inDynamoDb(): Promise<Stores> {
  // Imported late, since the client reads its endpoint at creation.
  const [codes, sessions] = await Promise.all([
    import('../../../functions/adapters/dynamodb/app-codes-table.ts'),
    import('../../../functions/adapters/dynamodb/app-sessions-table.ts'),
  ]);
  return { codes: codes.appCodesTable('AppCodes'), sessions: sessions.appSessionsTable('AppSessions') };
}
