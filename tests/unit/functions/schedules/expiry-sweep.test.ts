import { expect, test, vi } from 'vitest';
import { EXPIRY_SHARDS, expiryShard } from '../../../../functions/domain/expiry-shard.ts';
import { consumeDueAccounts } from '../../../../functions/schedules/due-accounts.ts';
import { sweepExpired } from '../../../../functions/schedules/expiry-sweep.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { batchOf, MemoryQueue, sweepNow } from '../../../fixtures/fakes/memory-queue.ts';
import { beginOnFree, billing, planTable, tasks } from '../ada.ts';

const { log } = beginOnFree();
const AN_HOUR_AGO = '2026-01-20T11:00:00.000Z';

const sweep = () => sweepNow({ planTable, billing, tasks });

/** Creates a user on Plus until `at`, with a customer at Stripe. */
function expiring(id: string, at = AN_HOUR_AGO): string {
  const customer = `cus_of_${id}`;
  billing.customers.set(customer, id);
  const customers = { billing_customer_id: customer, stripe_customer_id: customer };
  planTable.put({ id, plan: 'plus', plan_expires_at: at, expiry_shard: expiryShard(id), ...customers });
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

test('the expiry sweep changes every expired plan to Free, in every shard, and no other plan', async () => {
  for (const id of userIds(200)) expiring(id);
  expiring('not-due', '2026-01-20T12:00:00.001Z');
  expect(new Set(userIds(200).map(expiryShard)).size).toBe(EXPIRY_SHARDS);
  const expired = vi.spyOn(planTable, 'expired');
  await sweep();
  expect(userIds(200).filter((id) => planOf(id) !== 'free')).toEqual([]);
  expect(planOf('not-due')).toBe('plus');
  expect(expired).toHaveBeenCalledTimes(EXPIRY_SHARDS);
  const counts = { done: 200, failures: 0, unreadShards: 0, unfinished: false };
  expect(log.of('sweep-finished')).toMatchObject([{ sweep: 'schedules/expiry-sweep', ...counts }]);
});

test('an unreadable shard is reported, and the others are sent', async () => {
  expiring('due');
  const unread = (expiryShard('due') + 1) % EXPIRY_SHARDS;
  const expired = planTable.expired.bind(planTable);
  vi.spyOn(planTable, 'expired').mockImplementation((shard, at) => {
    if (shard === unread) throw new Error('DynamoDB is out of reach.');
    return expired(shard, at);
  });
  const queue = new MemoryQueue();
  await expect(sweepExpired({ planTable, queue })()).rejects.toThrow('1 shards could not be read');
  expect(queue.messages).toEqual([{ task: 'expiry', user: 'due' }]);
});

test('an expiry sweep that runs out of time reports it, and the next sends the rest', async () => {
  for (const id of userIds(100)) expiring(id);
  const queue = new MemoryQueue();
  const first = await sweepExpired({ planTable, queue })(timeUpAfter(5));
  expect(first.unfinished).toBe(true);
  expect(first.sent).toBe(queue.messages.length);
  await sweep();
  expect(userIds(100).filter((id) => planOf(id) !== 'free')).toEqual([]);
});

test('a plan that was decided since it was sent costs no request', async () => {
  expiring('user', '2026-02-20T12:00:00.000Z');
  const ask = vi.spyOn(billing, 'subscriptionsOf');
  const world = Object.assign(new IdleWorld(), { planTable, billing, tasks, now: new Date() });
  const message = { task: 'expiry', user: 'user' };
  expect(await consumeDueAccounts(world)(batchOf([message]))).toEqual({ batchItemFailures: [] });
  expect(ask).not.toHaveBeenCalled();
});
