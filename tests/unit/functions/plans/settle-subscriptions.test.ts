import { expect, test, vi } from 'vitest';
import { handler as renewSubscription } from '../../../../functions/api/renew-subscription.ts';
import { handler as readSessionStatus } from '../../../../functions/api/session-status.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, billing, planTable } from '../ada.ts';
import { checkOut, paidSession } from './checkout-acts.ts';

// tests/integration/product/billing-adapter.test.ts tests the calls to Stripe and their order.

const { now, log } = beginOnFree();

const reconcileAda = () => reconcile(ada, 'ada', now, { trigger: 'test' });

const sessionStatus = async (session_id: string) =>
  (await call(readSessionStatus.with(ada), { user: 'ada', query: { session_id } })).body;

test('the return page of a second payment says that it was refunded, that of the first does not, and one refund is logged', async () => {
  const [first, second] = [await paidSession(), await paidSession()];
  const ended = { status: 'complete', subscription_status: 'canceled', refunded: true };
  expect(await sessionStatus(second)).toMatchObject(ended);
  expect(await sessionStatus(first)).toMatchObject({ subscription_status: 'active', refunded: false });
  expect(await sessionStatus(second)).toMatchObject({ refunded: true });
  expect(billing.refunds).toHaveLength(1);
  const [subscription] = billing.refunds;
  expect(log.of('duplicate-refunded')).toMatchObject([{ user: 'ada', subscription }]);
});

test('a payment whose subscription support has ended is not reported as refunded', async () => {
  const session = await paidSession();
  await billing.cancelNow(billing.checkouts.get(session)!.subscription!);
  expect(await sessionStatus(session)).toMatchObject({ subscription_status: 'canceled', refunded: false });
});

test('two subscriptions that both stay although Stripe accepted the refund are logged as a contradiction', async () => {
  billing.subscribe('cus_ada');
  await reconcileAda();
  billing.subscribe('cus_ada', { userId: undefined });
  await reconcileAda();
  // Beside a subscription of support's, the user's own is no contradiction.
  expect(log.of('plan-contradiction')).toEqual([]);
  billing.subscribe('cus_ada');
  vi.spyOn(billing, 'refundAndCancel').mockImplementation(async (subscription) => subscription);
  await reconcileAda();
  expect(log.errors).toEqual([{ event: 'plan-contradiction', user: 'ada', rule: 'several-subscriptions' }]);
});

test('the return page confirms the payment even if the refund fails', async () => {
  const [, second] = [await paidSession(), await paidSession()];
  vi.spyOn(billing, 'refundAndCancel').mockRejectedValueOnce(new Error('Stripe is out of reach.'));
  expect(await sessionStatus(second)).toMatchObject({ status: 'complete', refunded: false });
});

test('a subscription whose invoices Stripe keeps is no duplicate', async () => {
  billing.subscribe('cus_ada', { state: { kind: 'canceled', firstPayment: 'paid' } });
  vi.spyOn(billing, 'voidInvoices').mockRejectedValue(new Error('Stripe refuses.'));
  const [settled] = (await reconcileAda())?.subscriptions ?? [];
  expect(settled).toMatchObject({ ended: undefined, refund: undefined });
});

test('what its user has canceled is ended at once, also where support made it', async () => {
  const [supports, eves] = [undefined, 'eve'].map((userId) =>
    billing.subscribe('cus_ada', { userId, ended: 'declined' }),
  );
  const untouched = billing.subscribe('cus_ada', { userId: undefined, state: { kind: 'never-paid' } });
  const cancelUnpaid = vi.spyOn(billing, 'cancelUnpaid');
  await reconcileAda();
  expect(cancelUnpaid.mock.calls.map(([{ id }]) => id)).toEqual([supports?.id, eves?.id]);
  expect(billing.subscriptions.get(untouched.id)?.state.kind).toBe('never-paid');
});

test('a reconciliation that loses the write does not settle before it retries', async () => {
  billing.subscribe('cus_ada');
  billing.subscribe('cus_ada');
  vi.spyOn(planTable, 'decide').mockResolvedValueOnce(undefined);
  const settling = vi.spyOn(billing, 'refundAndCancel');
  await reconcileAda();
  expect(settling).toHaveBeenCalledTimes(1);
});

test('a marked duplicate is refunded when its user opens a checkout', async () => {
  const found = billing.subscribe('cus_ada', { ended: 'duplicate', refund: 'due' });
  expect((await checkOut()).status).toBe(200);
  expect(billing.refunds).toEqual([found.id]);
});

test('renewing keeps the subscription that was renewed if a duplicate of the same second can’t be cancelled', async () => {
  // The lower id counts as the older of two subscriptions created in the same second.
  const { id: duplicate } = billing.subscribe('cus_ada', { id: 'sub_1', createdAt: 1 });
  const endsAt = Date.UTC(2026, 1, 15) / 1000;
  const { id: renewed } = billing.subscribe('cus_ada', { id: 'sub_2', createdAt: 1, endsAt });
  const customer = { stripe_customer_id: 'cus_ada', billing_customer_id: 'cus_ada' };
  const plan_expires_at = new Date(endsAt * 1000).toISOString();
  planTable.put({ id: 'ada', plan: 'plus', plan_expires_at, ...customer, version: 2 });
  const refund = vi.spyOn(billing, 'refundAndCancel').mockRejectedValue(new Error('Stripe refuses.'));
  expect(await call(renewSubscription.with(ada), { user: 'ada' })).toMatchObject({
    status: 200,
    body: { plan: 'plus', stripeSubscriptionId: renewed },
  });
  expect(new Set(refund.mock.calls.map(([{ id }]) => id))).toEqual(new Set([duplicate]));
});
