import { beforeEach, expect, test, vi } from 'vitest';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import { comparePlans } from '../../../../functions/schedules/plan-agreement.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import { STAGE } from '../../../fixtures/fakes/stage.ts';
import { memoryPasses } from '../../../fixtures/fakes/memory-adapters.ts';
import { timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
import { beginOnFree, billing, planTable, tasks } from '../ada.ts';

const { now, log } = beginOnFree();
const seconds = now.getTime() / 1000;
const HOUR = 3_600;
const END = Date.UTC(2026, 1, 15) / 1000;
beforeEach(() => {
  planTable.rows.clear();
  passes = memoryPasses();
});

/** A user with a subscription at Stripe, and with this row. */
function user(id: string, row: Partial<UserPlan>, subscription?: Partial<Subscription>): void {
  const customer = `cus_${id}`;
  billing.customers.set(customer, id);
  if (subscription) billing.subscribe(customer, { id: `sub_${id}`, ...subscription });
  planTable.put({ id, plan: 'free', billing_customer_id: customer, ...row });
}
const paying = (id: string): Partial<UserPlan> => ({
  plan: 'plus',
  stripe_customer_id: `cus_${id}`,
  stripe_subscription_id: `sub_${id}`,
});
const ending = (id: string): Partial<UserPlan> => ({
  plan: 'plus',
  stripe_customer_id: `cus_${id}`,
  plan_expires_at: '2026-02-15T00:00:00.000Z',
});
let passes = memoryPasses();
const dependencies = () => ({
  planTable,
  billing,
  tasks,
  passes,
  // A page has one row.
  async *paidRows(after?: string) {
    const all = [...planTable.rows.values()];
    const rest = all.slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1);
    for (const [index, row] of rest.entries()) {
      const isPaid = row.plan === 'plus' && row.stripe_customer_id;
      yield { rows: isPaid ? [row] : [], next: index < rest.length - 1 ? row.id : undefined };
    }
    if (rest.length === 0) yield { rows: [], next: undefined };
  },
});
const compare = () => comparePlans(dependencies(), () => now)(undefined, true);
const goOn = (isOver?: () => boolean, at = now) => comparePlans(dependencies(), () => at)(isOver);
/** The users that are logged. */
const logged = (): unknown[] => log.errors.map(({ user: id }) => id);
const eventAbout = (id: string, hoursAgo: number) => ({
  type: 'customer.subscription.deleted',
  created: seconds - hoursAgo * HOUR,
  data: {
    object: { object: 'subscription', id: `sub_${id}`, customer: `cus_${id}`, metadata: markOf(STAGE, id) },
  },
});

test.each<[string, Partial<UserPlan>, Partial<Subscription> | undefined]>([
  ['Plus whose subscription has ended', paying('ada'), { state: CANCELED }],
  ['Plus without any subscription', paying('ada'), undefined],
  ['a payer on Free', {}, {}],
  ['a payer with a complimentary plan', { plan: 'plus', billing_customer_id: 'cus_ada' }, {}],
  ['Plus that goes on, of a cancelled subscription', paying('ada'), { endsAt: END }],
  ['Plus that ends, of a subscription that renews', ending('ada'), {}],
])('%s is counted, named and decided again', async (_, row, subscription) => {
  user('ada', row, subscription);
  expect(await compare()).toEqual({ disagree: 1, unfinished: false });
  expect(logged()).toEqual(['ada']);
  expect(await compare()).toEqual({ disagree: 0, unfinished: false });
});

test('a payer whose row lost its customer is counted and named, every time', async () => {
  user('ada', { billing_customer_id: undefined }, {});
  for (const _ of [1, 2]) expect(await compare()).toEqual({ disagree: 1, unfinished: false });
  expect(logged()).toEqual(['ada', 'ada']);
});

test('who agrees with Stripe is not counted, and only a row on Plus costs a request', async () => {
  user('renews', paying('renews'), {});
  user('late', paying('late'), { state: { kind: 'past-due' } });
  user('ends', ending('ends'), { endsAt: END });
  user('free', {});
  user('unpaid', {}, { state: { kind: 'incomplete' } });
  user('complimentary', { plan: 'plus', billing_customer_id: undefined });
  const ask = vi.spyOn(billing, 'subscriptionsOf');
  for (const counted of await metricsOf(compare)) expect(counted).toMatchObject({ PlanDisagreements: 0 });
  expect(ask.mock.calls.map(([customer]) => customer)).toEqual(['cus_renews', 'cus_late', 'cus_ends']);
});

test('a user who bought twice agrees by either subscription', async () => {
  user('ada', paying('ada'), {});
  billing.subscribe('cus_ada', { id: 'sub_second' });
  expect(await compare()).toMatchObject({ disagree: 0 });
});

test('what changed in the last two hours is left to the webhook and the event catch-up', async () => {
  user('ada', paying('ada'), { state: CANCELED });
  billing.events.push(eventAbout('ada', 1));
  expect(await compare()).toMatchObject({ disagree: 0 });
  billing.events.length = 0;
  billing.events.push(eventAbout('ada', 3));
  expect(await compare()).toMatchObject({ disagree: 1 });
});

test('Plus whose tries ended in the last two hours is left to the task', async () => {
  const gaveUp = (hours: number) =>
    ({ state: { kind: 'given-up', triesEndAt: seconds - hours * HOUR } }) as const;
  user('ada', paying('ada'), gaveUp(1));
  expect(await compare()).toMatchObject({ disagree: 0 });
  billing.change('sub_ada', gaveUp(3));
  expect(await compare()).toMatchObject({ disagree: 1 });
});

test('a deletion under way and a subscription without a row are left to their tasks', async () => {
  user('ada', { closing_until: '2026-01-20T13:00:00.000Z' }, {});
  user('gone', {}, {});
  planTable.rows.delete('gone');
  expect(await compare()).toMatchObject({ disagree: 0 });
});

test('a run out of time goes on where it stopped, and half a run is half the work', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `user-${index}`);
  // Half of them have Plus without paying, the others pay without Plus.
  for (const [index, id] of ids.entries()) {
    if (index % 2 === 0) user(id, paying(id), { state: CANCELED });
    else user(id, {}, {});
  }
  let runs = 1;
  while ((await goOn(timeUpAfter(20))).unfinished) runs += 1;
  expect(runs).toBeGreaterThan(1);
  expect(new Set(logged())).toEqual(new Set(ids));
  expect(logged()).toHaveLength(12);
  expect(await goOn()).toEqual({ disagree: 12, unfinished: false });
});

test('a pass begins once a day', async () => {
  await goOn();
  user('ada', {}, {});
  expect(await goOn(undefined, new Date(now.getTime() + 22 * HOUR * 1000))).toMatchObject({ disagree: 0 });
  expect(await goOn(undefined, new Date(now.getTime() + 24 * HOUR * 1000))).toMatchObject({ disagree: 1 });
});

test('a customer that Stripe refuses stops no other, and fails the run', async () => {
  user('bad', paying('bad'));
  user('ada', paying('ada'));
  vi.spyOn(billing, 'subscriptionsOf').mockImplementation(async (customer) => {
    if (customer === 'cus_bad') throw new Error('No.');
    return [];
  });
  await expect(compare()).rejects.toThrow('1 of 2 users failed, and 0 shards could not be read: Error: No.');
  expect(logged()).toEqual(['ada']);
});
