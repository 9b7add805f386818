import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Checkout } from '../../../../functions/adapters/stripe/billing.ts';
import { createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { adaOnFree, order } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let ada = adaOnFree();
let { planTable, billing } = ada;
beforeEach(() => {
  ada = adaOnFree();
  ({ planTable, billing } = ada);
});

const checkOut = (body: object = order, user = 'ada') => call(createCheckoutSession(ada), { user, body });

describe('opening a checkout', () => {
  const changeSessions = (fields: Partial<Checkout>) => {
    for (const [id, session] of billing.checkouts) billing.checkouts.set(id, { ...session, ...fields });
  };

  test('is refused for an unknown plan', async () => {
    const body = { ...order, planName: 'platinum' };
    expect(await checkOut(body)).toMatchObject(refused(400, 'unknown-plan'));
  });

  test.each([
    ['another user’s id', { userId: 'eve' }],
    ['another user’s address', { userEmail: 'eve@example.com' }],
  ])('is refused with %s', async (_, others) => {
    planTable.put({ id: 'eve', billing_customer_id: 'cus_eve' });
    expect(await checkOut({ ...order, ...others })).toMatchObject(refused(403, 'not-yours'));
    expect(billing.checkouts.size).toBe(0);
  });

  test('writes no plan where none has changed', async () => {
    const decide = vi.spyOn(planTable, 'decide');
    await checkOut();
    expect(decide).not.toHaveBeenCalled();
  });

  test('takes the user’s own address in any case', async () => {
    expect((await checkOut({ ...order, userEmail: order.userEmail.toUpperCase() })).status).toBe(200);
  });

  test('opens a row and a session for a user whose row sign-up failed to create', async () => {
    const body = { ...order, userId: 'new', userEmail: 'new@example.com' };
    expect((await checkOut(body, 'new')).status).toBe(200);
    expect(planTable.rows.get('new')).toHaveProperty('checkout_session_id');
  });

  test('fails if Stripe’s open session has no client secret, rather than show an empty page', async () => {
    await checkOut();
    changeSessions({ clientSecret: undefined });
    expect((await checkOut()).status).toBe(500);
    expect(log.text()).toContain('has no client secret');
  });

  test('is to be tried again if another tab’s session has ended by the time that its own has lost', async () => {
    vi.spyOn(planTable, 'adoptCheckout').mockResolvedValue(false);
    expect(await checkOut()).toMatchObject(refused(503, 'busy'));
    expect([...billing.checkouts.values()].map(({ status }) => status)).toEqual(['expired']);
  });

  test('leaves one open session if two tabs open a checkout at the same time', async () => {
    const answers = await Promise.all([checkOut(), checkOut()]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect([...billing.checkouts.values()].filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test.each([
    ['to read the open session', 'checkout', 'checkout-not-read'],
    ['to expire the session with an older price', 'expireCheckout', 'checkout-not-expired'],
    ['to end a subscription that was never paid', 'cancelUnpaid', 'incomplete-not-cancelled'],
  ] as const)('is possible while Stripe refuses %s, which is logged', async (_, step, event) => {
    await checkOut();
    changeSessions({ agreement: undefined });
    billing.subscribe('cus_ada', { state: { kind: 'incomplete' } });
    vi.spyOn(billing, step).mockRejectedValue(new Error('Stripe refuses.'));
    expect((await checkOut()).status).toBe(200);
    expect(log.of(event)).toMatchObject([{ user: 'ada' }]);
  });

  /** The session is paid by another tab just before this call to Stripe. */

  const payBefore = (step: 'checkout' | 'expireCheckout') => {
    const original = billing[step].bind(billing) as (id: string) => Promise<never>;
    vi.spyOn(billing, step).mockImplementationOnce(async (id: string) => {
      const [session] = billing.checkouts.values();
      if (session) billing.checkouts.set(session.id, { ...session, status: 'complete' });
      billing.subscribe('cus_ada');
      return original(id);
    });
  };

  test('opens no second session if another tab pays the first meanwhile', async () => {
    await checkOut();
    payBefore('checkout');
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test('opens no second session if a session with an older price is paid while it is expired', async () => {
    await checkOut();
    changeSessions({ agreement: undefined });
    payBefore('expireCheckout');
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test.each(['Plus', 'PLUS'])('accepts %s as the plan’s name', async (planName) => {
    expect((await checkOut({ ...order, planName })).status).toBe(200);
  });

  test('is refused while the bank processes the payment of an earlier purchase, and possible again once that failed', async () => {
    const bought = billing.subscribe('cus_ada', { state: { kind: 'processing' } });
    expect(await checkOut()).toMatchObject(refused(409, 'payment-processing'));
    expect(billing.subscriptions.get(bought.id)?.state.kind).toBe('processing');
    expect(billing.checkouts.size).toBe(0);

    billing.change(bought.id, { state: { kind: 'never-paid' } });
    expect((await checkOut()).status).toBe(200);
    expect(billing.subscriptions.get(bought.id)?.state.kind).toBe('canceled');
  });

  test('is refused on a complimentary plan without an expiry, and allowed on a complimentary plan with an expiry', async () => {
    planTable.put({ id: 'ada', plan: 'plus', billing_customer_id: 'cus_ada' });
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    planTable.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-31T23:59:59.999Z',
      billing_customer_id: 'cus_ada',
    });
    expect((await checkOut()).status).toBe(200);
  });
});
