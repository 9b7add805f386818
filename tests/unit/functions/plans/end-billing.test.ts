import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endBilling, endCustomerBilling } from '../../../../functions/plans/end-billing.ts';
import { endOrphanedBilling } from '../../../../functions/plans/end-orphaned-billing.ts';
import { handleStripeEvent } from '../../../../functions/plans/handle-stripe-event.ts';
import { runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import { settleSubscriptions } from '../../../../functions/plans/settle-subscriptions.ts';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
import { ada, beginOnFree, billing, planTable, pool, tasks } from '../ada.ts';
import { eventSubject } from './event-subject.ts';

const { now, log } = beginOnFree();
const row = UserPlan.parse({ id: 'ada', plan: 'free', billing_customer_id: 'cus_ada', version: 1 });

const voided = () => [...billing.subscriptions.values()].map(({ invoicesVoided }) => invoicesVoided);
const settle = async () => settleSubscriptions(billing, await billing.subscriptionsOf('cus_ada'), row);

describe('settling subscriptions', () => {
  test('voids what a subscription left open when it ended, once', async () => {
    billing.subscribe('cus_ada', { state: CANCELED });
    const voidInvoices = vi.spyOn(billing, 'voidInvoices');
    expect((await settle()).subscriptions).toMatchObject([{ state: CANCELED, invoicesVoided: true }]);
    expect(voided()).toEqual([true]);
    await settle();
    expect(voidInvoices).toHaveBeenCalledTimes(1);
  });

  test('leaves alone the invoices of a subscription that runs, is support’s, or was bought for someone else', async () => {
    billing.subscribe('cus_ada');
    billing.subscribe('cus_ada', { state: CANCELED, userId: undefined });
    billing.subscribe('cus_ada', { state: CANCELED, userId: 'eve' });
    expect((await settle()).subscriptions).toHaveLength(3);
    expect(voided()).toEqual([false, false, false]);
  });
});

describe('ending the billing of a user', () => {
  test('whose subscriptions have all ended reports that none was running, and cancels none', async () => {
    billing.subscribe('cus_ada', { state: CANCELED });
    billing.subscribe('cus_ada', { state: { kind: 'expired' } });
    const cancelNow = vi.spyOn(billing, 'cancelNow');
    expect(await endBilling({ billing, tasks }, row, now)).toBe(false);
    expect(cancelNow).not.toHaveBeenCalled();
    expect(billing.customers.has('cus_ada')).toBe(false);
  });

  test.each(['past-due', 'unpaid', 'paused', 'incomplete', 'active'] as const)(
    'cancels a subscription that is %s, beside another, so that neither can become active again, and reports it',
    async (kind) => {
      const { id } = billing.subscribe('cus_ada', { state: { kind } });
      const other = billing.subscribe('cus_ada', { state: { kind: 'paused' } });
      const cancelNow = vi.spyOn(billing, 'cancelNow');
      expect(await endBilling({ billing, tasks }, row, now)).toBe(true);
      expect(cancelNow.mock.calls.map(([cancelled]) => cancelled.id)).toEqual([id, other.id]);
    },
  );

  test.each([
    ['renewing', { plan: 'plus', stripe_customer_id: 'cus_ada' } as const, true],
    ['complimentary', { plan: 'plus' } as const, false],
    ['free', { plan: 'free' } as const, false],
  ])(
    'deletes the customer if Stripe lists no subscriptions, and reports what a %s row says',
    async (_, fields, wasRunning) => {
      const unlisted = new Error('Stripe lists nothing.');
      vi.spyOn(billing, 'subscriptionsOf').mockRejectedValue(unlisted);
      const ended = await endCustomerBilling(billing, 'cus_ada', { ...row, ...fields }, now);
      expect(ended).toEqual({ wasRunning, isCustomerDeleted: true, failures: [unlisted] });
    },
  );

  test.each([
    ['is kept if a refund alone has failed', [], 1],
    ['is deleted if invoices stay open too', ['voidInvoices'], 2],
    ['is deleted if two subscriptions run on too', ['cancelNow'], 3],
  ] as const)('ends with a customer that %s', async (_, also, count) => {
    for (const state of [{ kind: 'active' }, { kind: 'active' }, CANCELED] as const)
      billing.subscribe('cus_ada', { state });
    vi.spyOn(billing, 'cancelNow').mockResolvedValue();
    const refused = new Error('Stripe refuses.');
    for (const step of ['refundAndCancel', ...also] as const)
      vi.spyOn(billing, step).mockRejectedValue(refused);
    const ended = await endCustomerBilling(billing, 'cus_ada', row, now);
    const failures = Array.from({ length: count }, () => refused);
    expect(ended).toEqual({ wasRunning: true, isCustomerDeleted: count > 1, failures });
  });

  test('is left as a task that names the failure, if Stripe refuses a step', async () => {
    vi.spyOn(billing, 'deleteCustomer').mockRejectedValue(new Error('Stripe refuses.'));
    expect(await endBilling({ billing, tasks }, row, now)).toBe(false);
    expect([...tasks.items.values()]).toMatchObject([
      { work: 'end', customer_id: 'cus_ada', failure: 'Error: Stripe refuses.' },
    ]);
    expect(log.of('billing-deferred')).toMatchObject([{ work: 'end', customer: 'cus_ada', user: 'ada' }]);
  });

  test('expires the session that the row names, and the sessions of the customer', async () => {
    billing.customers.set('cus_replaced', 'ada');
    for (const customerId of ['cus_replaced', 'cus_ada']) await billing.createSession({ customerId });
    const [checkout_session_id] = billing.checkouts.keys();
    await endBilling({ billing, tasks }, { ...row, checkout_session_id }, now);
    expect([...billing.checkouts.values()].map(({ status }) => status)).toEqual(['expired', 'expired']);
  });

  test('causes no call to Stripe if the user never had a customer', async () => {
    billing.down = true;
    const withoutCustomer = UserPlan.parse({ id: 'new', plan: 'free' });
    expect(await endBilling({ billing, tasks }, withoutCustomer, now)).toBe(false);
    expect(log.lines).toEqual([]);
  });
});

describe('the billing of a user who has left the pool', () => {
  const end = (customerId: string) => endOrphanedBilling(ada, { userId: 'ada', customerId }, now);
  const customers = () => [...billing.customers.keys()];

  beforeEach(() => {
    pool.accounts.delete('ada');
    billing.customers.set('cus_other', 'ada');
  });

  test('is ended once, with the row, which is logged and counted', async () => {
    const deleteCustomer = vi.spyOn(billing, 'deleteCustomer');
    const counted = await metricsOf(async () => expect(await end('cus_ada')).toBe(true));
    expect(counted).toMatchObject([{ OrphansEnded: 1 }]);
    expect(deleteCustomer.mock.calls).toMatchObject([['cus_ada', { id: 'ada' }]]);
    expect(planTable.rows.has('ada')).toBe(false);
    expect(customers()).toEqual(['cus_other']);
    expect(log.lines).toEqual([{ event: 'orphaned-billing-ended', user: 'ada', customer: 'cus_ada' }]);
  });

  test('is ended at a second customer too, if that customer names the user', async () => {
    expect(await end('cus_other')).toBe(true);
    expect(customers()).toEqual([]);
  });

  test('is left alone where neither the mark nor the row gives the customer to the user', async () => {
    billing.customers.set('cus_bob', 'bob');
    billing.unmarked.add('cus_stranger');
    billing.foreign.add('cus_staging');
    planTable.rows.delete('ada');
    for (const customer of ['cus_bob', 'cus_stranger', 'cus_staging']) {
      billing.subscribe(customer, { id: `sub_of_${customer}` });
      expect(await end(customer)).toBe(false);
      expect(billing.subscriptions.get(`sub_of_${customer}`)?.state.kind).toBe('active');
    }
    expect(planTable.rows.size).toBe(0);
    expect(log.lines).toEqual([]);
  });

  test('is not touched while the user is in the pool', async () => {
    pool.put({ username: 'ada' });
    expect(await end('cus_ada')).toBe(false);
    expect(customers()).toEqual(['cus_ada', 'cus_other']);
    expect(planTable.rows.get('ada')).not.toHaveProperty('closing_until');
  });
});

test('a renewal that only the subscription says is of a user who has left keeps the customer', async () => {
  pool.accounts.delete('ada');
  billing.subscribe('cus_stranger', { id: 'sub_stranger', userId: 'ada' });
  const renewal = { customerId: 'cus_stranger', renewalUpcoming: true, userId: 'ada' };
  await handleStripeEvent(ada, eventSubject(renewal), now);
  const later = new Date(now.getTime() + 3_600_000);
  await runBillingTasks(ada, () => later)();
  expect(planTable.rows.has('ada')).toBe(false);
  expect(billing.customers.has('cus_ada')).toBe(false);
  expect(billing.subscriptions.get('sub_stranger')?.state.kind).toBe('active');
});
