import { describe, expect, test, vi } from 'vitest';
import { handler as readSessionStatus } from '../../../../functions/api/session-status.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, billing, planTable } from '../ada.ts';
import { changeSessions, paidSession } from '../plans/checkout-acts.ts';

const { log } = beginOnFree();

const statusOf = (session_id: string | undefined, user = 'ada') =>
  call(readSessionStatus.with(ada), { user, query: { session_id: String(session_id) } });

describe('reading a session’s status', () => {
  test.each([
    ['paid', 'active', 'plus', 'active'],
    ['processing', 'processing', 'free', 'processing'],
    ['failed', 'never-paid', 'free', 'canceled'],
  ] as const)('says that the payment is %s, and the plan follows', async (payment, kind, plan, after) => {
    const session = await paidSession();
    const id = String(billing.checkouts.get(session)?.subscription?.id);
    billing.change(id, { state: { kind } });
    const subscription = billing.subscriptions.get(id);
    changeSessions({ subscription });
    expect((await statusOf(session)).body).toMatchObject({
      status: 'complete',
      payment,
      subscription_id: id,
      subscription_current_period_end: subscription?.currentPeriodEnd,
    });
    expect(planTable.rows.get('ada')?.plan).toBe(plan);
    expect(billing.subscriptions.get(id)?.state.kind).toBe(after);
  });

  test('is not found by another payer', async () => {
    const session = await paidSession();
    planTable.put({ id: 'eve', billing_customer_id: 'cus_eve', version: 1 });
    expect(await statusOf(session, 'eve')).toMatchObject(refused(404, 'not-found'));
    expect((await statusOf(session)).status).toBe(200);
  });

  test('is not found without a customer, by a user without one', async () => {
    const session = await paidSession({ customerId: undefined });
    planTable.put({ id: 'eve', version: 1 });
    expect(await statusOf(session, 'eve')).toMatchObject(refused(404, 'not-found'));
    expect(await statusOf('cs_unknown', 'eve')).toMatchObject(refused(404, 'not-found'));
    expect(await statusOf(session, 'new')).toMatchObject(refused(404, 'not-found'));
  });

  test('decides no plan that is based on the subscription already', async () => {
    const session = await paidSession();
    await statusOf(session);
    const decide = vi.spyOn(planTable, 'decide');
    expect((await statusOf(session)).body).toMatchObject({ status: 'complete', plan: 'plus' });
    expect(decide).not.toHaveBeenCalled();
  });

  test('is open for an unpaid session, asks for no subscriptions and gives no Plus', async () => {
    const session = await billing.createSession({ customerId: 'cus_ada' });
    const [subscriptionsOf, decide] = [vi.spyOn(billing, 'subscriptionsOf'), vi.spyOn(planTable, 'decide')];
    const { body } = await statusOf(session?.id);
    expect(body).toMatchObject({ status: 'open', subscription_id: null, payment: null });
    expect(subscriptionsOf).not.toHaveBeenCalled();
    expect(decide).not.toHaveBeenCalled();
    expect(planTable.rows.get('ada')?.plan).toBe('free');
  });

  test('confirms a payment that could not be written yet, which is logged', async () => {
    const session = await paidSession();
    vi.spyOn(planTable, 'decide').mockRejectedValue(new Error('DynamoDB is out of reach.'));
    const body = { status: 'complete', subscription_status: 'active', refunded: false };
    expect(await statusOf(session)).toMatchObject({ status: 200, body });
    expect(log.errors).toMatchObject([{ event: 'plan-not-decided', user: 'ada' }]);
  });

  test('of an account that is deleted meanwhile, or without a subscription, is no failure', async () => {
    const withoutSubscription = await paidSession({ subscription: undefined });
    const complete = { status: 'complete', subscription_id: null };
    expect((await statusOf(withoutSubscription)).body).toMatchObject(complete);
    const session = await paidSession();
    vi.spyOn(planTable, 'decide').mockImplementation(async ({ id }) => {
      planTable.rows.delete(id);
      return undefined;
    });
    expect((await statusOf(session)).body).toMatchObject({ status: 'complete' });
    expect(log.errors).toEqual([]);
  });
});
