import { beforeEach, expect, test, vi } from 'vitest';
import { sweepUnconfirmed } from '../../../../functions/schedules/unconfirmed-sweep.ts';
import { timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { memoryAddresses } from '../../../fixtures/fakes/memory-adapters.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const log = watchLog();
let pool = new MemoryPool();
let addresses = memoryAddresses();
let pauses: number[] = [];
beforeEach(() => {
  [pool, addresses, pauses] = [new MemoryPool(), memoryAddresses(), []];
});

const unconfirmed = (username: string, hours: number) => {
  const email = `${username}@example.com`;
  return pool.put({ username, email, status: 'UNCONFIRMED', createdAt: hoursAgo(hours) });
};
const pause = async (milliseconds: number) => void pauses.push(milliseconds);
const sweep = (isOver?: () => boolean) => sweepUnconfirmed({ pool, addresses }, undefined, pause)(isOver);

test('an account that was never confirmed is deleted 48 hours after its creation, and not before', async () => {
  unconfirmed('old', 48);
  unconfirmed('young', 47.99);
  expect(await sweep()).toEqual({ removed: 1, unfinished: false });
  expect([...pool.accounts.keys()]).toEqual(['young']);
  expect(addresses.owners.size).toBe(0);
});

test('an account that is confirmed after it was listed stays', async () => {
  const account = unconfirmed('late', 72);
  const list = pool.unconfirmed.bind(pool);
  pool.unconfirmed = async function* () {
    yield* list();
    pool.put({ ...account, status: 'CONFIRMED', emailVerified: true });
  };
  expect(await sweep()).toEqual({ removed: 0, unfinished: false });
  expect(pool.accounts.has('late')).toBe(true);
});

test('an account that cannot be deleted does not keep the others, and fails the sweep at the end', async () => {
  for (const name of ['first', 'stuck', 'last']) unconfirmed(name, 49);
  const remove = pool.remove.bind(pool);
  vi.spyOn(pool, 'remove').mockImplementation(async (username) => {
    if (username === 'stuck') throw new Error('TooManyRequestsException');
    return remove(username);
  });
  await expect(sweep()).rejects.toThrow(
    '1 of 3 unconfirmed accounts failed, and 0 shards could not be read: Error: TooManyRequestsException',
  );
  expect([...pool.accounts.keys()]).toEqual(['stuck']);
  expect(log.lines).toMatchObject([{ sweep: 'schedules/unconfirmed-sweep', done: 2, failures: 1 }]);
});

test('accounts that are left when time runs out are deleted by the next sweep', async () => {
  for (const name of ['first', 'second', 'third']) unconfirmed(name, 49);
  expect(await sweep(timeUpAfter(2))).toEqual({ removed: 2, unfinished: true });
  expect(await sweep()).toEqual({ removed: 1, unfinished: false });
});

test('no more than five thousand are deleted at once, with a pause each, and the sweep says that more are left', async () => {
  for (let count = 0; count < 5_001; count += 1) unconfirmed(`old-${count}`, 49);
  expect(await sweep()).toEqual({ removed: 5_000, unfinished: true });
  // Two at a time, so ten a second. Cognito's quota is 25.
  expect(pauses).toEqual(Array.from({ length: 5_000 }, () => 200));
  expect(await sweep()).toEqual({ removed: 1, unfinished: false });
});

test('the clock is read when the sweep begins', async () => {
  unconfirmed('old', 48);
  const later = sweepUnconfirmed({ pool, addresses }, undefined, pause);
  vi.setSystemTime(hoursAgo(1));
  expect(await later()).toEqual({ removed: 0, unfinished: false });
  vi.setSystemTime(now);
  expect(await later()).toEqual({ removed: 1, unfinished: false });
});
