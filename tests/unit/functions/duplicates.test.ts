import { beforeEach, expect, test, vi } from 'vitest';
import { createCheckoutSession } from '../../../functions/api/create-checkout-session.ts';
import { readSessionStatus } from '../../../functions/api/session-status.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { call } from '../../fixtures/http-event.ts';
import { MemorySessionUser } from '../../fixtures/memory-session-user.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';

// What Stripe is asked for, and in what order, stands in tests/integration/product/billing-adapter.test.ts.

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  billing.customers.set('cus_ada', 'ada');
  plans.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
});

const look = () => reconcile({ plans, billing }, 'ada', now, { trigger: 'test' });

const paidSession = async (): Promise<string> => {
  const session = await billing.openCheckout({ customerId: 'cus_ada' });
  billing.pay(String(session?.id));
  return String(session?.id);
};

const askStatus = async (session_id: string) =>
  (await call(readSessionStatus({ plans, billing }), { user: 'ada', query: { session_id } })).body;

test('the return page of a second payment says that it was given back, and that of the first does not', async () => {
  const [first, second] = [await paidSession(), await paidSession()];
  expect(await askStatus(second)).toMatchObject({
    status: 'complete',
    subscription_status: 'canceled',
    refunded: true,
  });
  expect(await askStatus(first)).toMatchObject({ subscription_status: 'active', refunded: false });
  expect(await askStatus(second)).toMatchObject({ refunded: true });
  expect(billing.refunds).toHaveLength(1);
});

test('a payment whose subscription support has ended is not said to be given back', async () => {
  const session = await paidSession();
  const id = billing.checkouts.get(session)?.subscription?.id;
  await billing.cancelNow(String(id));
  expect(await askStatus(session)).toMatchObject({ subscription_status: 'canceled', refunded: false });
});

test('a refund that fails leaves Plus where it is, is told to whoever asked, and is made at the next look', async () => {
  const first = billing.subscribe('cus_ada');
  const second = billing.subscribe('cus_ada');
  vi.spyOn(billing, 'refundAndCancel').mockRejectedValueOnce(new Error('Stripe is out of reach.'));
  await expect(look()).rejects.toThrow('out of reach');
  expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: first.id });

  await look();
  expect(billing.refunds).toEqual([second.id]);
  expect(billing.subscriptions.get(second.id)?.status).toBe('canceled');
});

test('while the refund fails the return page still says that the payment came in', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const [, second] = [await paidSession(), await paidSession()];
  vi.spyOn(billing, 'refundAndCancel').mockRejectedValueOnce(new Error('Stripe is out of reach.'));
  expect(await askStatus(second)).toMatchObject({ status: 'complete', refunded: false });
});

test('whoever lost the decision leaves the acting to whoever won it', async () => {
  billing.subscribe('cus_ada');
  billing.subscribe('cus_ada');
  vi.spyOn(plans, 'decide').mockResolvedValueOnce(undefined);
  const acts = vi.spyOn(billing, 'refundAndCancel');
  await look();
  expect(acts).toHaveBeenCalledTimes(1);
});

test('many looks at once give one payment back, and end with one subscription', async () => {
  const first = billing.subscribe('cus_ada');
  billing.subscribe('cus_ada');
  billing.subscribe('cus_ada');
  await Promise.all(Array.from({ length: 6 }, look));
  expect(new Set(billing.refunds).size).toBe(2);
  expect([...billing.subscriptions.values()].filter(({ status }) => status === 'active')).toEqual([first]);
  expect(plans.rows.get('ada')?.stripe_subscription_id).toBe(first.id);
});

test('a marked duplicate is refunded, not sold again, when its user opens a checkout', async () => {
  const found = billing.subscribe('cus_ada', { duplicate: 'found' });
  const checkout = createCheckoutSession({
    plans,
    billing,
    sessionUser: new MemorySessionUser(),
    siteUrl: 'https://selfsame.example',
  });
  const body = { planName: 'plus', userId: 'ada', userEmail: 'ada@example.com' };
  expect((await call(checkout, { user: 'ada', body })).status).toBe(200);
  expect(billing.refunds).toEqual([found.id]);
});
