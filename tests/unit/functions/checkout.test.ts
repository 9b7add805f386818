import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createCheckoutSession } from '../../../functions/api/create-checkout-session.ts';
import { readSessionStatus } from '../../../functions/api/session-status.ts';
import { adaOnFree } from '../../fixtures/ada-on-free.ts';
import { call } from '../../fixtures/http-event.ts';
import type { MemorySessionUser } from '../../fixtures/memory-session-user.ts';
import type { MemoryBilling } from '../../fixtures/memory-billing.ts';
import type { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { PRICE } from '../../fixtures/price-of-plus.ts';

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
let sessionUser: MemorySessionUser;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  ({ plans, billing, sessionUser } = adaOnFree());
});

const checkout = () =>
  createCheckoutSession({
    plans,
    billing,
    sessionUser,
    siteUrl: 'https://selfsame.example',
  });
const order = { planName: 'plus', userId: 'ada', userEmail: 'ada@example.com' };

describe('opening a checkout', () => {
  test.each([
    ['another user’s id', { ...order, userId: 'eve' }],
    ['another user’s address', { ...order, userEmail: 'eve@example.com' }],
  ])('is refused for %s', async (_, body) => {
    expect(await call(checkout(), { user: 'ada', body })).toMatchObject({
      status: 403,
      body: { code: 'not-yours' },
    });
    expect(billing.checkouts.size).toBe(0);
  });

  test('is refused for an unknown plan', async () => {
    const body = { ...order, planName: 'platinum' };
    expect(await call(checkout(), { user: 'ada', body })).toMatchObject({
      status: 400,
      body: { code: 'unknown-plan' },
    });
  });

  test('returns the session of the first tab to a second tab', async () => {
    const first = await call(checkout(), { user: 'ada', body: order });
    const second = await call(checkout(), { user: 'ada', body: order });
    expect(second.body).toEqual(first.body);
    expect(billing.checkouts.size).toBe(1);
  });

  test('leaves one open session if two tabs open a checkout at the same time', async () => {
    const answers = await Promise.all([
      call(checkout(), { user: 'ada', body: order }),
      call(checkout(), { user: 'ada', body: order }),
    ]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect([...billing.checkouts.values()].filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test('replaces a session with an older price', async () => {
    await call(checkout(), { user: 'ada', body: order });
    for (const [id, session] of billing.checkouts)
      billing.checkouts.set(id, { ...session, amount: PRICE - 100 });
    await call(checkout(), { user: 'ada', body: order });
    expect([...billing.checkouts.values()].map(({ status, amount }) => [status, amount])).toEqual([
      ['expired', PRICE - 100],
      ['open', PRICE],
    ]);
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
    await call(checkout(), { user: 'ada', body: order });
    payBefore('checkout');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test('opens no second session if a session with an older price is paid while it is expired', async () => {
    await call(checkout(), { user: 'ada', body: order });
    for (const [id, session] of billing.checkouts)
      billing.checkouts.set(id, { ...session, amount: PRICE - 100 });
    payBefore('expireCheckout');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test('opens a new session after an expired session, and after a session whose subscription has ended', async () => {
    await call(checkout(), { user: 'ada', body: order });
    const [expired] = billing.checkouts.keys();
    await billing.expireCheckout(String(expired));
    const second = await call(checkout(), { user: 'ada', body: order });
    expect(second.body['clientSecret']).not.toBe(`${expired}_secret`);

    const complete = String(second.body['clientSecret']).replace('_secret', '');
    billing.pay(complete);
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    for (const id of billing.subscriptions.keys()) await billing.cancelNow(id);
    const third = await call(checkout(), { user: 'ada', body: order });
    expect(third.status).toBe(200);
    expect(third.body['clientSecret']).not.toBe(`${complete}_secret`);
  });

  test.each(['Plus', 'PLUS'])('accepts %s as the plan’s name', async (planName) => {
    expect((await call(checkout(), { user: 'ada', body: { ...order, planName } })).status).toBe(200);
  });

  test.each(['unpaid', 'paused', 'incomplete'])(
    'ends a subscription that is %s first, so that it cannot become active beside the new one',
    async (status) => {
      const resumable = billing.subscribe('cus_ada', { status });
      expect((await call(checkout(), { user: 'ada', body: order })).status).toBe(200);
      expect(billing.subscriptions.get(resumable.id)?.status).toBe('canceled');
    },
  );

  test('is refused on a complimentary plan without an expiry, and allowed on a complimentary plan with an expiry', async () => {
    plans.put({ id: 'ada', plan: 'plus', billing_customer_id: 'cus_ada' });
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-31T23:59:59.999Z',
      billing_customer_id: 'cus_ada',
    });
    expect((await call(checkout(), { user: 'ada', body: order })).status).toBe(200);
  });

  test('replaces a customer that was deleted in Stripe', async () => {
    billing.customers.delete('cus_ada');
    expect((await call(checkout(), { user: 'ada', body: order })).status).toBe(200);
    expect(plans.rows.get('ada')?.billing_customer_id).not.toBe('cus_ada');
  });

  test('is refused on Plus, and after a cancellation with the advice to renew', async () => {
    const subscription = billing.subscribe('cus_ada');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    billing.change(subscription.id, { endsAt: subscription.currentPeriodEnd });
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('renew-instead');
  });
});

describe('reading a session’s status', () => {
  test('answers for another user’s session as for an unknown session', async () => {
    await call(checkout(), { user: 'ada', body: order });
    plans.put({ id: 'eve', billing_customer_id: 'cus_eve' });
    const [session] = billing.checkouts.keys();
    const theirs = await call(readSessionStatus({ plans, billing }), {
      user: 'eve',
      query: { session_id: String(session) },
    });
    const none = await call(readSessionStatus({ plans, billing }), {
      user: 'eve',
      query: { session_id: 'cs_none' },
    });
    expect(theirs).toEqual(none);
    expect(theirs.status).toBe(404);
  });

  test('is open for an unpaid session, and gives no Plus', async () => {
    await call(checkout(), { user: 'ada', body: order });
    const [session] = billing.checkouts.keys();
    const answer = await call(readSessionStatus({ plans, billing }), {
      user: 'ada',
      query: { session_id: String(session) },
    });
    expect(answer.body).toMatchObject({ status: 'open', subscription_id: null });
    expect(plans.rows.get('ada')?.plan).toBe('free');
  });

  test('sets the plan to Plus for a paid session before any webhook', async () => {
    await call(checkout(), { user: 'ada', body: order });
    const [session] = billing.checkouts.values();
    const subscription = billing.subscribe('cus_ada');
    if (session) billing.checkouts.set(session.id, { ...session, status: 'complete', subscription });
    const answer = await call(readSessionStatus({ plans, billing }), {
      user: 'ada',
      query: { session_id: String(session?.id) },
    });
    expect(answer.body).toMatchObject({
      status: 'complete',
      subscription_id: subscription.id,
      subscription_current_period_end: subscription.currentPeriodEnd,
    });
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: subscription.id });
  });
});
