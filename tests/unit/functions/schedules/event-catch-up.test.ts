import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchUp } from '../../../../functions/schedules/event-catch-up.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import { STAGE } from '../../../fixtures/fakes/stage.ts';
import { mostAtOnce, timeUpAfter } from '../../../fixtures/fakes/limits.ts';
import { isMailTask } from '../../../fixtures/fakes/memory-adapters.ts';
import { MemoryEventCursor } from '../../../fixtures/fakes/memory-event-cursor.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { ada, beginOnFree, billing, planTable, tasks } from '../ada.ts';

const { now, log } = beginOnFree();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ago = (milliseconds: number): Date => new Date(now.getTime() - milliseconds);
const minutesAgo = (count: number): Date => ago(count * MINUTE);

beforeEach(() => planTable.rows.clear());

const cursorAt = (position?: Date) => Object.assign(new MemoryEventCursor(), { position });

const catchUpFrom = (cursor: MemoryEventCursor) => catchUp({ ...ada, cursor });

/** A user on Free who has paid, and whose webhook was lost. */
function paying(id: string): string {
  const customer = `cus_${id}`;
  billing.customers.set(customer, id);
  billing.subscribe(customer);
  planTable.put({ id, billing_customer_id: customer });
  return customer;
}

const userIds = (count: number): string[] => Array.from({ length: count }, (_, index) => `person_${index}`);
const planOf = (id: string) => planTable.rows.get(id)?.plan;
const onFree = (ids: readonly string[]): string[] => ids.filter((id) => planOf(id) !== 'plus');

const invoicePaid = (customer: string, created: Date) => ({
  type: 'invoice.paid',
  created: Math.floor(created.getTime() / 1000),
  data: { object: { object: 'invoice', customer } },
});

/** Makes every request about a customer fail. */
function failFor(...customers: string[]): void {
  const original = billing.subscriptionsOf.bind(billing);
  vi.spyOn(billing, 'subscriptionsOf').mockImplementation((customer) =>
    customers.includes(customer) ? Promise.reject(new Error('Stripe says no.')) : original(customer),
  );
}

describe('the event catch-up', () => {
  test('reconciles each customer of lost webhooks once, moves its cursor to ten minutes ago, and counts', async () => {
    const customer = paying('user');
    for (const minutes of [50, 40, 30]) billing.events.push(invoicePaid(customer, minutesAgo(minutes)));
    const unhandled = { type: 'product.created', created: now.getTime() / 1000 - 60, data: { object: {} } };
    billing.events.push(unhandled);
    const subscriptionsOf = vi.spyOn(billing, 'subscriptionsOf');
    const cursor = cursorAt(minutesAgo(60));
    let outcome: unknown;
    const counted = await metricsOf(async () => void (outcome = await catchUpFrom(cursor)()));
    expect(outcome).toEqual({ reconciled: 1, unfinished: false });
    expect(planOf('user')).toBe('plus');
    expect(subscriptionsOf).toHaveBeenCalledTimes(1);
    // Stripe can list an event late.
    expect(cursor.position).toEqual(minutesAgo(10));
    expect(counted.map(({ _aws, ...counts }) => counts)).toEqual([
      { StripeEvents: 3 },
      { PlusStarted: 1 },
      { CatchUpLag: 600 },
      { WebhooksReceived: 0 },
    ]);
    const eventsBetween = vi.spyOn(billing, 'eventsBetween');
    const unfinished = await metricsOf(() => catchUpFrom(cursorAt(minutesAgo(60)))(() => true));
    expect(unfinished).toContainEqual(expect.objectContaining({ CatchUpLag: 3600 }));
    expect(eventsBetween).not.toHaveBeenCalled();
  });

  test('reads the three days for which Stripe itself retries, the first time', async () => {
    const eventsBetween = vi.spyOn(billing, 'eventsBetween');
    await catchUpFrom(cursorAt())();
    const seconds = now.getTime() / 1000;
    expect(eventsBetween.mock.calls).toEqual([[seconds - 3 * 24 * 3600, seconds + 1]]);
    const finished = { event: 'sweep-finished', sweep: 'schedules/event-catch-up', unreadShards: 0 };
    expect(log.lines.at(-1)).toEqual({ ...finished, done: 0, failures: 0, unfinished: false });
  });

  test.each([1, -60])('does not move a cursor of %i minutes ago back', async (minutes) => {
    const cursor = cursorAt(minutesAgo(minutes));
    expect(await catchUpFrom(cursor)()).toEqual({ reconciled: 0, unfinished: false });
    expect(cursor.position).toEqual(minutesAgo(minutes));
  });

  test('reconciles at most eight customers at a time', async () => {
    for (const id of userIds(64)) billing.events.push(invoicePaid(paying(id), minutesAgo(30)));
    const highest = mostAtOnce(billing, 'subscriptionsOf');
    await catchUpFrom(cursorAt(minutesAgo(70)))();
    expect(highest()).toBe(8);
  });

  test('throws if the events cannot be read, and moves nothing', async () => {
    billing.down = true;
    const cursor = cursorAt(minutesAgo(70));
    await expect(catchUpFrom(cursor)()).rejects.toThrow('Stripe is out of reach.');
    expect(cursor.position).toEqual(minutesAgo(70));
    expect(log.lines.at(-1)).toMatchObject({ done: 0, failures: 0, unfinished: true });
  });
});

describe('a customer that fails in the event catch-up', () => {
  test('is kept for the billing tasks with the user of its event, and holds neither the cursor nor other customers', async () => {
    const [bad, good] = [paying('bad'), paying('good')];
    const ofBad = { object: 'subscription', customer: bad, metadata: markOf(STAGE, 'bad') };
    const named = { ...invoicePaid(bad, minutesAgo(60)), data: { object: ofBad } };
    billing.events.push(named, invoicePaid(good, minutesAgo(30)));
    failFor(bad);
    const cursor = cursorAt(minutesAgo(70));
    expect(await catchUpFrom(cursor)()).toEqual({ reconciled: 1, unfinished: false });
    expect(planOf('good')).toBe('plus');
    expect(cursor.position).toEqual(minutesAgo(10));
    const kept = { customer_id: bad, user_id: 'bad', failure: 'Error: Stripe says no.' };
    expect([...tasks.items.values()].filter((task) => !isMailTask(task))).toMatchObject([kept]);
    expect(log.lines.at(-1)).toMatchObject({ done: 1, failures: 1, unfinished: false });
  });

  test('holds the cursor at its own event if it cannot be kept either', async () => {
    const [good, bad, later] = [paying('good'), paying('bad'), paying('later')];
    billing.events.push(
      invoicePaid(good, minutesAgo(60)),
      invoicePaid(bad, minutesAgo(45)),
      invoicePaid(later, minutesAgo(30)),
    );
    failFor(bad);
    vi.spyOn(tasks, 'enqueue').mockImplementation(async (task) => {
      if (!isMailTask(task)) throw new Error('DynamoDB is out of reach.');
    });
    const cursor = cursorAt(minutesAgo(70));
    await expect(catchUpFrom(cursor)()).rejects.toThrow(
      '1 of 3 customers are left for the next catch-up. The first failed with "Error: Stripe says no.", and could not be kept: Error: DynamoDB is out of reach.',
    );
    expect(cursor.position).toEqual(minutesAgo(45));
    expect(onFree(['good', 'later'])).toEqual([]);
    expect(log.lines.at(-1)).toMatchObject({ done: 2, failures: 1, unfinished: true });
  });

  test('is kept even if time runs out before it is tried again', async () => {
    const ids = userIds(20);
    const customers = ids.map(paying);
    for (const customer of customers) billing.events.push(invoicePaid(customer, minutesAgo(30)));
    failFor(...customers);
    const enqueue = vi.spyOn(tasks, 'enqueue');
    // The catch-up asks once before it reads, once for each event, and once for each customer.
    const { unfinished } = await catchUpFrom(cursorAt(minutesAgo(70)))(timeUpAfter(1 + 20 + 12));
    expect(unfinished).toBe(true);
    expect(tasks.items.size).toBeGreaterThan(0);
    expect(enqueue).toHaveBeenCalledTimes(tasks.items.size);
  });
});

describe('many events', () => {
  /** Lists the events with the number that each call has read. */
  function countReading(): number[] {
    const counts: number[] = [];
    const original = billing.eventsBetween.bind(billing);
    vi.spyOn(billing, 'eventsBetween').mockImplementation(async function* (from, to) {
      const call = counts.push(0) - 1;
      for await (const event of original(from, to)) {
        counts[call] = (counts[call] ?? 0) + 1;
        yield event;
      }
    });
    return counts;
  }

  test('of a week without the catch-up are read in slices, and all are handled', async () => {
    const ids = userIds(60);
    for (const id of ids) paying(id);
    for (let index = 0; index < 6_000; index += 1) {
      const customer = `cus_person_${index % ids.length}`;
      billing.events.push(invoicePaid(customer, ago(7 * DAY - index * 100_000)));
    }
    const counts = countReading();
    const cursor = cursorAt(ago(7 * DAY));
    expect(await catchUpFrom(cursor)()).toMatchObject({ unfinished: false });
    expect(onFree(ids)).toEqual([]);
    expect(cursor.position).toEqual(minutesAgo(10));
    // One more than a thousand is read to see that there are too many.
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_001);
    expect(counts.length).toBeLessThan(40);
  });

  test('are handled from old to new, and the cursor follows', async () => {
    const ids = userIds(40);
    for (const [index, id] of ids.entries()) {
      billing.events.push(invoicePaid(paying(id), minutesAgo(600 - 12 * index)));
    }
    const cursor = cursorAt(minutesAgo(700));
    const positions: Date[] = [];
    const run = catchUpFrom(cursor);
    for (let outcome = await run(timeUpAfter(50)); outcome.unfinished; outcome = await run(timeUpAfter(50))) {
      if (cursor.position) positions.push(cursor.position);
      expect(positions.length).toBeLessThan(20);
    }
    expect(positions.length).toBeGreaterThan(1);
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a) - Number(b)));
    expect(onFree(ids)).toEqual([]);
    expect(cursor.position).toEqual(minutesAgo(10));
  });

  test('are not read on once time is up, and the next run begins where this run did', async () => {
    for (const id of userIds(40)) billing.events.push(invoicePaid(paying(id), minutesAgo(30)));
    const counts = countReading();
    const cursor = cursorAt(minutesAgo(70));
    expect(await catchUpFrom(cursor)(timeUpAfter(10))).toEqual({ reconciled: 0, unfinished: true });
    expect(counts).toEqual([10]);
    expect(cursor.position).toEqual(minutesAgo(70));
  });

  test('of one second are read together', async () => {
    const customer = paying('user');
    for (let index = 0; index < 1_200; index += 1) {
      billing.events.push(invoicePaid(customer, minutesAgo(30)));
    }
    billing.events.push(invoicePaid(paying('last'), minutesAgo(30)));
    const cursor = cursorAt(minutesAgo(70));
    expect(await catchUpFrom(cursor)()).toEqual({ reconciled: 2, unfinished: false });
    expect(onFree(['user', 'last'])).toEqual([]);
  });

  test('before a quiet time do not make the slices of the quiet time short', async () => {
    const customer = paying('user');
    for (let index = 0; index < 4_000; index += 1) {
      billing.events.push(invoicePaid(customer, ago(20 * DAY - index * 1_000)));
    }
    const counts = countReading();
    await catchUpFrom(cursorAt(ago(20 * DAY)))();
    expect(counts.length).toBeLessThan(50);
    expect(planOf('user')).toBe('plus');
  });
});

test('a cursor older than the events that Stripe lists leads to the oldest ones that it does', async () => {
  billing.events.push(invoicePaid(paying('user'), ago(28 * DAY)));
  const eventsBetween = vi.spyOn(billing, 'eventsBetween');
  const cursor = cursorAt(ago(365 * DAY));
  expect(await catchUpFrom(cursor)()).toEqual({ reconciled: 1, unfinished: false });
  expect(Math.min(...eventsBetween.mock.calls.map(([from]) => from))).toBe(ago(29 * DAY).getTime() / 1000);
  expect(planOf('user')).toBe('plus');
  expect(cursor.position).toEqual(minutesAgo(10));
});
