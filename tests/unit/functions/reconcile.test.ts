import { beforeEach, expect, test, vi } from 'vitest';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;

beforeEach(() => {
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

const payer = (id: string): string => {
  const customer = `cus_of_${id}`;
  billing.customers.set(customer, id);
  plans.put({ id, billing_customer_id: customer, version: 1 });
  return customer;
};

test('an answer that was asked for before another decision was written loses to it', async () => {
  const subscription = billing.subscribe(payer('user'));
  // While the first reconciliation holds its row and Stripe's answer, the subscription ends and a second one
  // writes that.
  const ask = billing.subscriptionsOf.bind(billing);
  vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (customer) => {
    const answer = await ask(customer);
    billing.change(subscription.id, { status: 'canceled' });
    await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
    return answer;
  });
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  expect(plans.rows.get('user')).toMatchObject({ plan: 'free' });
});

test('a decision that changes nothing still makes an older answer lose', async () => {
  const customer = payer('user');
  const before = await plans.read('user');
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  expect(before && (await plans.decide(before, { plan: 'plus' }, now))).toBeUndefined();
  expect(plans.rows.get('user')).toMatchObject({ plan: 'free', billing_customer_id: customer });
});

test('the handful of events of one payment, arriving at once, all come to the same plan', async () => {
  const subscription = billing.subscribe(payer('user'));
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => reconcile({ plans, billing }, 'user', now, { trigger: 'test' })),
  );
  expect(outcomes.map((outcome) => outcome?.row.stripe_subscription_id)).toEqual(
    Array.from({ length: 8 }, () => subscription.id),
  );
});

test.each([
  ['renews', undefined],
  ['is going to end', Date.UTC(2026, 1, 15) / 1000],
])(
  'two looks between which an arrear was paid keep the same of two subscriptions: the one that %s',
  async (_, endsAt) => {
    const customer = payer('user');
    const late = billing.subscribe(customer, { status: 'past_due' });
    const paid = billing.subscribe(customer, { endsAt });
    // The one look has decided against the late one. Before it is ended, it is paid after all, and another
    // look comes and goes.
    const end = billing.refundAndCancel.bind(billing);
    vi.spyOn(billing, 'refundAndCancel').mockImplementationOnce(async (subscription) => {
      billing.change(late.id, { status: 'active' });
      await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
      return end(subscription);
    });
    await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
    expect([late, paid].map(({ id }) => billing.subscriptions.get(id)?.status)).toEqual([
      'canceled',
      'active',
    ]);
    expect(plans.rows.get('user')).toMatchObject({ plan: 'plus' });
  },
);

test('a deleted account is not brought back by a late event', async () => {
  expect(await reconcile({ plans, billing }, 'gone', now, { trigger: 'test' })).toBeUndefined();
  expect(plans.rows.size).toBe(0);
});

test('the customer is remembered when the plan falls to Free, so that an invoice paid late finds its person', async () => {
  const subscription = billing.subscribe(payer('user'));
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  billing.change(subscription.id, { status: 'unpaid' });
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  expect(plans.rows.get('user')).toMatchObject({ plan: 'free' });
  expect(plans.rows.get('user')).not.toHaveProperty('stripe_customer_id');

  billing.change(subscription.id, { status: 'active' });
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  expect(plans.rows.get('user')).toMatchObject({ plan: 'plus', stripe_subscription_id: subscription.id });
});

test('a row that knows its customer only by stripe_customer_id keeps it when it falls to Free', async () => {
  billing.customers.set('cus_1', 'user');
  plans.put({ id: 'user', plan: 'plus', stripe_customer_id: 'cus_1', version: 1 });
  await reconcile({ plans, billing }, 'user', now, { trigger: 'test' });
  expect(plans.rows.get('user')).toMatchObject({ plan: 'free', billing_customer_id: 'cus_1' });
});
