import { beforeEach, expect, test, vi } from 'vitest';
import { EXPIRY_SHARDS, expiryShard } from '../../../../functions/domain/expiry-shard.ts';
import { sweepExpired } from '../../../../functions/schedules/expiry-sweep.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { mostAtOnce, timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

stopClock('2026-01-20T12:00:00.000Z');
const AN_HOUR_AGO = '2026-01-20T11:00:00.000Z';
const log = watchLog();
let { plans, billing, tasks } = adaOnFree();
beforeEach(() => {
  ({ plans, billing, tasks } = adaOnFree());
});

const sweep = (isOver?: () => boolean) => sweepExpired({ plans, billing, tasks })(isOver);

/** Creates a user on Plus until `at`, with a customer at Stripe. */
function expiring(id: string, at = AN_HOUR_AGO): string {
  const customer = `cus_of_${id}`;
  billing.customers.set(customer, id);
  plans.put({
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
const planOf = (id: string) => plans.rows.get(id)?.plan;

test('a payer whose renewal webhook was lost keeps Plus through the expiry sweep', async () => {
  billing.subscribe(expiring('user'));
  await sweep();
  expect(planOf('user')).toBe('plus');
  expect(plans.rows.get('user')).not.toHaveProperty('plan_expires_at');
});

test('the expiry sweep changes every expired plan to Free, in every shard, and no other plan', async () => {
  for (const id of userIds(200)) expiring(id);
  expiring('not-due', '2026-01-20T13:00:00.000Z');
  expect(new Set(userIds(200).map(expiryShard)).size).toBe(EXPIRY_SHARDS);
  const outcome = await sweep();
  expect(outcome).toEqual({ reconciled: 200, unfinished: false });
  expect(userIds(200).filter((id) => planOf(id) !== 'free')).toEqual([]);
  expect(planOf('not-due')).toBe('plus');
});

test('the expiry sweep reconciles the other rows when some fail, and reports the failures', async () => {
  plans.put({ id: 'due', plan: 'plus', plan_expires_at: AN_HOUR_AGO, expiry_shard: 1 });
  expiring('unreachable');
  billing.down = true;
  await expect(sweep()).rejects.toThrow('1 of 2 expired plans');
  expect(planOf('due')).toBe('free');
  expect(planOf('unreachable')).toBe('plus');
});

test('the expiry sweep tries a failed row again before it ends', async () => {
  for (const id of userIds(20)) expiring(id);
  vi.spyOn(billing, 'subscriptionsOf').mockRejectedValueOnce(new Error('Stripe hung up.'));
  expect(await sweep()).toEqual({
    reconciled: 20,
    unfinished: false,
  });
});

test('the expiry sweep reports a shard that cannot be read and sweeps the others', async () => {
  for (const id of userIds(50)) expiring(id);
  const expired = plans.expired.bind(plans);
  vi.spyOn(plans, 'expired').mockImplementation((shard, at) => {
    if (shard === 3) throw new Error('DynamoDB is out of reach.');
    return expired(shard, at);
  });
  await expect(sweep()).rejects.toThrow('1 shards');
  expect(
    userIds(50)
      .filter((id) => planOf(id) !== 'free')
      .map(expiryShard),
  ).toSatisfy((shards: number[]) => shards.every((shard) => shard === 3));
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

test('concurrent expiry sweeps keep Plus for a user who pays in the same second', async () => {
  const customer = expiring('user');
  const original = billing.subscriptionsOf.bind(billing);
  // The renewal is paid just after the first sweep has read that no subscription exists.
  vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (...asked) => {
    const before = await original(...asked);
    billing.subscribe(customer);
    await sweep();
    return before;
  });
  await sweep();
  expect(planOf('user')).toBe('plus');
});

test('the expiry sweep asks each shard once, and says in the log what it has done', async () => {
  for (const id of userIds(3)) expiring(id);
  const expired = vi.spyOn(plans, 'expired');
  await sweep();
  const shards = expired.mock.calls.map(([shard]) => shard);
  expect(shards.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: EXPIRY_SHARDS }, (_, shard) => shard),
  );
  expect(log.lines.at(-1)).toEqual({
    event: 'sweep-finished',
    sweep: 'schedules/expiry-sweep',
    done: 3,
    failures: 0,
    unreadShards: 0,
    unfinished: false,
  });
});

test('the expiry sweep goes by the time of day, and names the first cause of its failures', async () => {
  expiring('due');
  expiring('later', '2026-01-20T12:00:00.001Z');
  billing.down = true;
  await expect(sweep()).rejects.toThrow(
    '1 of 1 expired plans failed, and 0 shards could not be read: Error: Stripe is out of reach.',
  );
});

test('the expiry sweep reconciles at most eight rows at a time', async () => {
  for (const id of userIds(64)) expiring(id);
  const highest = mostAtOnce(billing, 'subscriptionsOf');
  await sweep();
  expect(highest()).toBe(8);
});
