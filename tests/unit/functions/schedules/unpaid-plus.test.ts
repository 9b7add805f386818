import { beforeEach, expect, test, vi } from 'vitest';
import { countUnpaidPlus } from '../../../../functions/schedules/unpaid-plus.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';

const now = new Date('2026-01-20T12:00:00.000Z');
const hoursAgo = (hours: number): number => now.getTime() / 1000 - hours * 3_600;
const log = watchLog();
let { plans, billing } = adaOnFree();
beforeEach(() => {
  ({ plans, billing } = adaOnFree());
});

/** A user on Plus by payment, by the row. */
function payer(id: string): string {
  const customer = `cus_${id}`;
  billing.customers.set(customer, id);
  plans.put({ id, plan: 'plus', stripe_customer_id: customer, billing_customer_id: customer });
  return customer;
}

/** An event about a subscription. */
const event = (type: string, user: string, status: string, created = hoursAgo(5)) => ({
  type,
  created,
  data: {
    object: {
      object: 'subscription',
      id: `sub_${user}`,
      customer: `cus_${user}`,
      status,
      metadata: { user_id: user },
    },
  },
});

const count = (days = 1) => countUnpaidPlus({ plans, billing }, () => now)({ days });
/** The users that are logged. */
const logged = (): unknown[] => log.errors.map(({ user }) => user);

test('a user whose subscription ended, and whose row still says Plus, is counted and named', async () => {
  billing.subscribe(payer('ada'), { status: 'canceled' });
  billing.events.push(event('customer.subscription.deleted', 'ada', 'canceled'));
  expect(await count()).toEqual({ unpaid: 1, unfinished: false });
  expect(logged()).toEqual(['ada']);
  expect(plans.rows.get('ada')?.plan).toBe('plus');
});

test('a subscription that became unpaid counts, with however many events', async () => {
  billing.subscribe(payer('ada'), { status: 'unpaid' });
  billing.events.push(event('customer.subscription.updated', 'ada', 'unpaid'));
  billing.events.push(event('customer.subscription.updated', 'ada', 'unpaid', hoursAgo(4)));
  expect(await count()).toMatchObject({ unpaid: 1 });
});

test('the count is written as a metric, also where it is zero', async () => {
  expect(await metricsOf(count)).toMatchObject([{ UnpaidPlus: 0 }]);
});

test('nobody counts who pays, has Plus without payment, or is on Free by now', async () => {
  // Bought again after the first subscription ended.
  billing.subscribe(payer('again'));
  // In Stripe's retries after a failed renewal.
  billing.subscribe(payer('late'), { status: 'past_due' });
  plans.put({ id: 'complimentary', plan: 'plus' });
  plans.put({ id: 'free', billing_customer_id: 'cus_free' });
  for (const user of ['again', 'late', 'complimentary', 'free', 'deleted']) {
    billing.events.push(event('customer.subscription.deleted', user, 'canceled'));
  }
  expect(await count()).toMatchObject({ unpaid: 0 });
  expect(logged()).toEqual([]);
});

test('Stripe is asked about nobody whose subscription only renewed', async () => {
  payer('ada');
  billing.events.push(event('customer.subscription.updated', 'ada', 'active'));
  billing.events.push(event('invoice.paid', 'ada', 'paid'));
  const ask = vi.spyOn(billing, 'subscriptionsOf');
  await count();
  expect(ask).not.toHaveBeenCalled();
});

test('an event of the last two hours is left to the webhook and the event catch-up', async () => {
  payer('ada');
  billing.events.push(event('customer.subscription.deleted', 'ada', 'canceled', hoursAgo(1)));
  expect(await count()).toMatchObject({ unpaid: 0 });
});

test('more days reach further back', async () => {
  payer('ada');
  billing.events.push(event('customer.subscription.deleted', 'ada', 'canceled', hoursAgo(20 * 24)));
  expect(await count()).toMatchObject({ unpaid: 0 });
  expect(await count(29)).toMatchObject({ unpaid: 1 });
});

test('a customer that Stripe refuses stops no other, and fails the run', async () => {
  payer('bad');
  payer('ada');
  for (const user of ['bad', 'ada']) {
    billing.events.push(event('customer.subscription.deleted', user, 'canceled'));
  }
  vi.spyOn(billing, 'subscriptionsOf').mockImplementation(async (customer) => {
    if (customer === 'cus_bad') throw new Error('No.');
    return [];
  });
  await expect(count()).rejects.toThrow(
    '1 of 2 customers failed, and 0 shards could not be read: Error: No.',
  );
  expect(logged()).toEqual(['ada']);
});

test('a run without a number of days is refused', async () => {
  await expect(countUnpaidPlus({ plans, billing }, () => now)({})).rejects.toThrow('days');
});
