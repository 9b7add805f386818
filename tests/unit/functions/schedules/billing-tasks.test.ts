import { describe, expect, test, vi } from 'vitest';
import { MAXIMUM_TRIES, runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import type { BillingWork } from '../../../../schemas/rows/billing-task.ts';
import { ada, beginOnFree, billing, planTable, pool, tasks } from '../ada.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-01-20T12:00:00Z');
const after = (hours: number): Date => new Date(start + hours * HOUR);
const { log } = beginOnFree();

const run = (at: Date, isOver?: () => boolean) => runBillingTasks(ada, () => at)(isOver);
const runWithoutUser = (at: Date) => {
  pool.accounts.delete('ada');
  return run(at);
};
const enqueue = (work: BillingWork) =>
  tasks.enqueue({ work, customer_id: 'cus_ada', user_id: 'ada', failure: 'Error: No.' }, after(0), after(1));

describe('a task', () => {
  test('is not touched before it is due, and removed once it is done', async () => {
    billing.subscribe('cus_ada');
    await enqueue('reconcile');
    expect(await run(after(0.9))).toEqual({ done: 0, left: 0, unfinished: false });
    expect(tasks.items.size).toBe(1);
    expect(await run(after(1))).toEqual({ done: 1, left: 0, unfinished: false });
    expect(tasks.items.has('reconcile#cus_ada')).toBe(false);
    expect(planTable.rows.get('ada')?.plan).toBe('plus');
  });

  test('finds its user through the customer if it does not name the user, and is done if that names nobody', async () => {
    billing.subscribe('cus_ada');
    await enqueue('reconcile');
    const unnamed = { ...tasks.items.get('reconcile#cus_ada')!, user_id: undefined };
    tasks.items.set('reconcile#cus_ada', unnamed);
    await run(after(1));
    expect(planTable.rows.get('ada')?.plan).toBe('plus');
    billing.customers.clear();
    tasks.items.set('reconcile#cus_ada', unnamed);
    expect(await run(after(1))).toMatchObject({ done: 1 });
    expect(tasks.items.has('reconcile#cus_ada')).toBe(false);
  });

  test('about an address gives the customer the address that the user has by now, once Stripe takes it', async () => {
    await enqueue('address');
    vi.spyOn(billing, 'setCustomerEmail').mockRejectedValueOnce(new Error('No.'));
    expect(await run(after(1))).toMatchObject({ done: 0, left: 1 });
    expect(await run(after(2))).toMatchObject({ done: 1 });
    expect(billing.emails.get('cus_ada')).toBe('ada@example.com');
  });

  test('about an address of a user who is gone is done', async () => {
    await enqueue('address');
    expect(await runWithoutUser(after(1))).toMatchObject({ done: 1 });
    expect(billing.emails.size).toBe(0);
  });

  test('is tried every hour and given up after two weeks; the log names it after the first day, and then', async () => {
    billing.down = true;
    await enqueue('reconcile');
    const hours: number[] = [];
    for (let hour = 1; hour <= 24 * 15; hour += 1) {
      const { tries } = [...tasks.items.values()][0]!;
      await run(after(hour));
      if ([...tasks.items.values()][0]!.tries > tries) hours.push(hour);
    }
    expect(hours).toEqual(Array.from({ length: MAXIMUM_TRIES }, (_, index) => index + 1));
    expect(hours.at(-1)).toBe(14 * 24);
    expect(tasks.items.get('reconcile#cus_ada')).toMatchObject({
      given_up: true,
      since: after(0).toISOString(),
    });
    const named = { event: 'billing-stuck', work: 'reconcile', customer: 'cus_ada', user: 'ada' };
    expect(log.of('billing-stuck')).toMatchObject([
      { ...named, givenUp: false },
      { ...named, givenUp: true },
    ]);
  });

  test('stays while what settles the plan is refused', async () => {
    billing.subscribe('cus_ada');
    billing.subscribe('cus_ada');
    vi.spyOn(billing, 'refundAndCancel').mockRejectedValue(new Error('No.'));
    await enqueue('reconcile');
    expect(await run(after(1))).toMatchObject({ done: 0, left: 1 });
    expect(tasks.items.get('reconcile#cus_ada')).toMatchObject({ tries: 1, due: after(2).toISOString() });
  });

  test('that can not be written fails the run, after the others', async () => {
    billing.subscribe('cus_ada');
    await enqueue('reconcile');
    await enqueue('check-user');
    vi.spyOn(tasks, 'forget').mockRejectedValue(new Error('Out of reach.'));
    await expect(run(after(1))).rejects.toThrow('2 tasks could not be written: Error: Out of reach.');
    expect(planTable.rows.get('ada')?.plan).toBe('plus');
  });

  test('waits for the next run if time is over', async () => {
    await enqueue('reconcile');
    expect(await run(after(1), () => true)).toEqual({ done: 0, left: 0, unfinished: true });
    expect(tasks.items.size).toBe(1);
  });
});

describe('ending the billing of a deleted account', () => {
  test('cancels its subscriptions, refunds what was taken since, and deletes the customer', async () => {
    planTable.rows.clear();
    const { id } = billing.subscribe('cus_ada');
    const refundSince = vi.spyOn(billing, 'refundSince');
    await enqueue('end');
    await runWithoutUser(after(1));
    expect(billing.subscriptions.get(id)?.state.kind).toBe('canceled');
    expect(refundSince.mock.calls).toMatchObject([['cus_ada', { id: 'ada' }, after(0)]]);
    expect(billing.customers.size).toBe(0);
  });

  test('keeps the customer for a refund that is refused, and tries it again', async () => {
    planTable.rows.clear();
    billing.subscribe('cus_ada', { ended: 'duplicate', refund: 'due' });
    vi.spyOn(billing, 'refundAndCancel').mockRejectedValueOnce(new Error('No.'));
    vi.spyOn(billing, 'cancelNow').mockResolvedValue();
    await enqueue('end');
    await runWithoutUser(after(1));
    expect(billing.customers.has('cus_ada')).toBe(true);
    await runWithoutUser(after(2));
    expect(billing.refunds).toHaveLength(1);
    expect(billing.customers.has('cus_ada')).toBe(false);
  });

  test('leaves alone the customer of an account that was not deleted after all', async () => {
    billing.down = true;
    await enqueue('end');
    await run(after(1));
    expect(billing.customers.has('cus_ada')).toBe(true);
    expect(tasks.items.size).toBe(0);
  });

  test('deletes a customer that the user of an existing account never got', async () => {
    planTable.put({ id: 'ada', billing_customer_id: 'cus_other', version: 1 });
    await enqueue('end');
    await run(after(1));
    expect(billing.customers.has('cus_ada')).toBe(false);
  });
});
