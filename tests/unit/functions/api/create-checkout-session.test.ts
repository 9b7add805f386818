import { describe, expect, test, vi } from 'vitest';
import { order } from '../../../fixtures/fakes/ada-on-free.ts';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { beginOnFree, billing, planTable } from '../ada.ts';
import { changeSessions, checkOut } from '../plans/checkout-acts.ts';

const { log } = beginOnFree();

describe('opening a checkout', () => {
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

  test.each([
    ['read', 'checkout', {}],
    ['expired, with an older price,', 'expireCheckout', { agreement: undefined }],
  ] as const)('opens no second session if another tab pays the first as it is %s', async (_, step, older) => {
    await checkOut();
    changeSessions(older);
    const original = billing[step].bind(billing) as (id: string) => Promise<never>;
    vi.spyOn(billing, step).mockImplementationOnce(async (id: string) => {
      changeSessions({ status: 'complete' });
      billing.subscribe('cus_ada');
      return original(id);
    });
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test.each([{ planName: 'Plus' }, { planName: 'PLUS' }, { userEmail: 'ADA@example.com' }])(
    'takes the plan’s name, and the user’s own address, in any case: %o',
    async (also) => {
      expect((await checkOut({ ...order, ...also })).status).toBe(200);
    },
  );

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
    const complimentary = { id: 'ada', plan: 'plus', billing_customer_id: 'cus_ada' } as const;
    planTable.put(complimentary);
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    planTable.put({ ...complimentary, plan_expires_at: '2026-01-31T23:59:59.999Z' });
    expect((await checkOut()).status).toBe(200);
  });
});
