import { beforeEach, expect, test, vi } from 'vitest';
import { EXPIRY_SHARDS, expiryShard } from '../../../../functions/domain/expiry-shard.ts';
import { sweepExpired } from '../../../../functions/schedules/expiry-sweep.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { mostAtOnce, timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

stopClock('2026-01-20T12:00:00.000Z');
const AN_HOUR_AGO = '2026-01-20T11:00:00.000Z';
const log = watchLog();
let { planTable, billing, tasks } = adaOnFree();
beforeEach(() => {
  ({ planTable, billing, tasks } = adaOnFree());
});

const sweep = (isOver?: () => boolean) => sweepExpired({ planTable, billing, tasks })(isOver);

/** Creates a user on Plus until `at`, with a customer at Stripe. */
function expiring(id: string, at = AN_HOUR_AGO): string {
  const customer = `cus_of_${id}`;
  billing.customers.set(customer, id);
  planTable.put({
    id,
    plan: 'plus',
    plan_expires_at: at,
    expiry_shard: expiryShard(id),
    billing_customer_id: customer,
    stripe_customer_id: customer,
  });
  return customer;
}

const userIds = (count: number): string[] => Array.from({ length: count }, (_, index) => `person-${index}`);
const planOf = (id: string) => planTable.rows.get(id)?.plan;

test('a payer whose renewal webhook was lost keeps Plus through the expiry sweep', async () => {
  billing.subscribe(expiring('user'));
  await sweep();
  expect(planOf('user')).toBe('plus');
  expect(planTable.rows.get('user')).not.toHaveProperty('plan_expires_at');
});

test('the expiry sweep changes every expired plan to Free, in every shard, eight at a time, and no other plan', async () => {
  for (const id of userIds(200)) expiring(id);
  expiring('not-due', '2026-01-20T12:00:00.001Z');
  expect(new Set(userIds(200).map(expiryShard)).size).toBe(EXPIRY_SHARDS);
  const highest = mostAtOnce(billing, 'subscriptionsOf');
  const expired = vi.spyOn(planTable, 'expired');
  expect(await sweep()).toEqual({ reconciled: 200, unfinished: false });
  expect(userIds(200).filter((id) => planOf(id) !== 'free')).toEqual([]);
  expect(planOf('not-due')).toBe('plus');
  expect(highest()).toBe(8);
  expect(expired).toHaveBeenCalledTimes(EXPIRY_SHARDS);
  expect(log.lines.at(-1)).toEqual({
    event: 'sweep-finished',
    sweep: 'schedules/expiry-sweep',
    done: 200,
    failures: 0,
    unreadShards: 0,
    unfinished: false,
  });
});

test('the expiry sweep does the rest if a row and a shard fail, and reports both with the first cause', async () => {
  planTable.put({ id: 'due', plan: 'plus', plan_expires_at: AN_HOUR_AGO, expiry_shard: 1 });
  expiring('unreachable');
  billing.down = true;
  const unread = EXPIRY_SHARDS - 1;
  expect([1, expiryShard('unreachable')]).not.toContain(unread);
  const expired = planTable.expired.bind(planTable);
  vi.spyOn(planTable, 'expired').mockImplementation((shard, at) => {
    if (shard === unread) throw new Error('DynamoDB is out of reach.');
    return expired(shard, at);
  });
  await expect(sweep()).rejects.toThrow(
    '1 of 2 expired plans failed, and 1 shards could not be read: Error: Stripe is out of reach.',
  );
  expect(planOf('due')).toBe('free');
  expect(planOf('unreachable')).toBe('plus');
});

test('an expiry sweep that runs out of time reports it, and later sweeps finish', async () => {
  for (const id of userIds(100)) expiring(id);
  const first = await sweep(timeUpAfter(30));
  expect(first.unfinished).toBe(true);
  expect(first.reconciled).toBeLessThan(100);
  let total = first.reconciled;
  for (let next = await sweep(timeUpAfter(30)); ; next = await sweep(timeUpAfter(30))) {
    total += next.reconciled;
    if (!next.unfinished) break;
  }
  expect(total).toBe(100);
  expect(userIds(100).filter((id) => planOf(id) !== 'free')).toEqual([]);
});
