import { beforeEach, expect, test, vi } from 'vitest';
import { EXPIRY_SHARDS, expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { catchUp } from '../../../functions/schedules/event-catch-up.ts';
import { sweepExpired } from '../../../functions/schedules/expiry-sweep.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';

const users = { has: async () => true };

const now = new Date('2026-01-20T12:00:00.000Z');
const AN_HOUR_AGO = '2026-01-20T11:00:00.000Z';

let plans: MemoryPlans;
let billing: MemoryBilling;

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
});

/** Somebody on Plus until `at`, with a customer at Stripe. */
function due(id: string, at = AN_HOUR_AGO): string {
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

const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `person-${index}`);
const planOf = (id: string) => plans.rows.get(id)?.plan;

/** Says that time is up once it has been asked `count` times. */
function after(count: number): () => boolean {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > count;
  };
}

test('a payer whose renewal webhook was lost keeps Plus through the expiry sweep', async () => {
  billing.subscribe(due('user'));
  await sweepExpired({ plans, billing }, () => now)();
  expect(planOf('user')).toBe('plus');
  expect(plans.rows.get('user')).not.toHaveProperty('plan_expires_at');
});

test('the expiry sweep frees whoever has nothing left, in every shard, and leaves whoever is not due', async () => {
  for (const id of people(200)) due(id);
  due('not-due', '2026-01-20T13:00:00.000Z');
  expect(new Set(people(200).map(expiryShard)).size).toBe(EXPIRY_SHARDS);
  const outcome = await sweepExpired({ plans, billing }, () => now)();
  expect(outcome).toEqual({ reconciled: 200, unfinished: false });
  expect(people(200).filter((id) => planOf(id) !== 'free')).toEqual([]);
  expect(planOf('not-due')).toBe('plus');
});

test('the expiry sweep reports whom it could not look at, when all the others are done', async () => {
  plans.put({ id: 'due', plan: 'plus', plan_expires_at: AN_HOUR_AGO, expiry_shard: 1 });
  due('unreachable');
  billing.down = true;
  await expect(sweepExpired({ plans, billing }, () => now)()).rejects.toThrow('1 of 2 expired plans');
  expect(planOf('due')).toBe('free');
  expect(planOf('unreachable')).toBe('plus');
});

test('what fails once in a sweep is tried again before the sweep ends', async () => {
  for (const id of people(20)) due(id);
  vi.spyOn(billing, 'subscriptionsOf').mockRejectedValueOnce(new Error('Stripe hung up.'));
  expect(await sweepExpired({ plans, billing }, () => now)()).toEqual({ reconciled: 20, unfinished: false });
});

test('a shard that cannot be read is reported, and costs the others nothing', async () => {
  for (const id of people(50)) due(id);
  const expired = plans.expired.bind(plans);
  vi.spyOn(plans, 'expired').mockImplementation((shard, at) => {
    if (shard === 3) throw new Error('DynamoDB is out of reach.');
    return expired(shard, at);
  });
  await expect(sweepExpired({ plans, billing }, () => now)()).rejects.toThrow('1 shards');
  expect(
    people(50)
      .filter((id) => planOf(id) !== 'free')
      .map(expiryShard),
  ).toSatisfy((left: number[]) => left.every((shard) => shard === 3));
});

test('a sweep that runs out of time says so, and the next ones finish what is left', async () => {
  for (const id of people(100)) due(id);
  const sweep = sweepExpired({ plans, billing }, () => now);
  const first = await sweep(after(30));
  expect(first.unfinished).toBe(true);
  expect(first.reconciled).toBeLessThan(100);
  let total = first.reconciled;
  for (let rest = await sweep(after(30)); ; rest = await sweep(after(30))) {
    total += rest.reconciled;
    if (!rest.unfinished) break;
  }
  expect(total).toBe(100);
  expect(people(100).filter((id) => planOf(id) !== 'free')).toEqual([]);
});

test('two sweeps at once and a renewal in the same second leave the payer on Plus', async () => {
  const customer = due('user');
  const sweep = sweepExpired({ plans, billing }, () => now);
  const ask = billing.subscriptionsOf.bind(billing);
  // The renewal is paid just after the first sweep was told that there is nothing.
  vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (id) => {
    const before = await ask(id);
    billing.subscribe(customer);
    await sweep();
    return before;
  });
  await sweep();
  expect(planOf('user')).toBe('plus');
});

test('no more people are looked at at once than Stripe can bear', async () => {
  for (const id of people(64)) due(id);
  let [running, most] = [0, 0];
  const ask = billing.subscriptionsOf.bind(billing);
  vi.spyOn(billing, 'subscriptionsOf').mockImplementation(async (id) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return ask(id);
  });
  await sweepExpired({ plans, billing }, () => now)();
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

/** A cursor in memory. */
function cursorAt(at?: Date) {
  const cursor = {
    at,
    read: async () => cursor.at,
    move: async (to: Date) => void (cursor.at = to),
  };
  return cursor;
}

const invoicePaid = (customer: string, created: Date) => ({
  type: 'invoice.paid',
  created: created.getTime() / 1000,
  data: { object: { object: 'invoice', customer } },
});
const minutesAgo = (count: number): Date => new Date(now.getTime() - count * 60_000);

test('the catch-up does what a lost webhook would have done, once a customer, and moves its cursor', async () => {
  billing.customers.set('cus_1', 'user');
  billing.subscribe('cus_1');
  plans.put({ id: 'user', billing_customer_id: 'cus_1' });
  for (const minutes of [50, 40, 30]) billing.events.push(invoicePaid('cus_1', minutesAgo(minutes)));
  const cursor = cursorAt();
  const outcome = await catchUp({ plans, billing, cursor, userPool: users }, () => now)();
  expect(outcome).toEqual({ reconciled: 1, unfinished: false });
  expect(planOf('user')).toBe('plus');
  expect(cursor.at).toEqual(now);
});

test('a catch-up that could not reconcile somebody reads their events again the next time', async () => {
  billing.customers.set('cus_1', 'user');
  billing.subscribe('cus_1');
  plans.put({ id: 'user', billing_customer_id: 'cus_1' });
  billing.events.push(invoicePaid('cus_1', minutesAgo(45)));
  const cursor = cursorAt(minutesAgo(60));
  const eventsSince = vi.spyOn(billing, 'eventsSince');
  vi.spyOn(billing, 'subscriptionsOf')
    .mockRejectedValueOnce(new Error('Stripe is out of reach.'))
    .mockRejectedValueOnce(new Error('Stripe is out of reach.'));
  const follow = catchUp({ plans, billing, cursor, userPool: users }, () => now);
  await expect(follow()).rejects.toThrow('1 of 1 customers');
  await follow();
  expect(eventsSince.mock.lastCall?.at(0)).toEqual(minutesAgo(45));
  expect(planOf('user')).toBe('plus');
});

test('a catch-up that runs out of time goes on with the oldest that is left, and in the end has seen everybody', async () => {
  for (const [index, id] of people(40).entries()) {
    const customer = `cus_of_${id}`;
    billing.customers.set(customer, id);
    billing.subscribe(customer);
    plans.put({ id, billing_customer_id: customer });
    billing.events.push(invoicePaid(customer, minutesAgo(600 - 12 * index)));
  }
  const listed = billing.events as { created: number }[];
  vi.spyOn(billing, 'eventsSince').mockImplementation(async function* (since: Date) {
    yield* listed.filter(({ created }) => created * 1000 >= since.getTime()).toReversed();
  } as unknown as typeof billing.eventsSince);
  const cursor = cursorAt(minutesAgo(700));
  const follow = catchUp({ plans, billing, cursor, userPool: users }, () => now);
  const reached: (Date | undefined)[] = [];
  for (let outcome = await follow(after(20)); outcome.unfinished; outcome = await follow(after(20))) {
    reached.push(cursor.at);
    expect(reached.length).toBeLessThan(20);
  }
  expect(reached.length).toBeGreaterThan(1);
  expect(reached).toEqual(reached.toSorted((a, b) => Number(a) - Number(b)));
  expect(people(40).filter((id) => planOf(id) !== 'plus')).toEqual([]);
  expect(cursor.at).toEqual(now);
});
