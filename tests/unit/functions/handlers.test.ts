import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cancelSubscription } from '../../../functions/api/cancel-subscription.ts';
import { createCheckoutSession } from '../../../functions/api/create-checkout-session.ts';
import { readPlan } from '../../../functions/api/plan.ts';
import { renewSubscription } from '../../../functions/api/renew-subscription.ts';
import { readSessionStatus } from '../../../functions/api/session-status.ts';
import { joinWaitlist } from '../../../functions/api/waitlist.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { receiveEvent } from '../../../functions/webhooks/stripe-webhook.ts';
import type { UserPlan } from '../../../schemas/plan.ts';
import { call } from '../../fixtures/http-event.ts';
import { MemorySessionUser } from '../../fixtures/memory-session-user.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { PRICE } from '../../fixtures/price-of-plus.ts';

const users = { has: async () => true };

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
let sessionUser: MemorySessionUser;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  sessionUser = new MemorySessionUser();
  billing.customers.set('cus_ada', 'ada');
  plans.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
});

const checkout = () =>
  createCheckoutSession({
    plans,
    billing,
    sessionUser,
    siteUrl: 'https://selfsame.example',
  });
const order = { planName: 'plus', userId: 'ada', userEmail: 'ada@example.com' };

describe('reading a plan', () => {
  test('makes the Free row that sign-up could not, and records the sign-in', async () => {
    const answer = await call(readPlan({ plans, billing, sessionUser }), {
      user: 'new',
      authTime: 1_768_900_000,
    });
    expect(answer.body).toEqual({
      plan: 'free',
      planExpiresAt: null,
      stripeSubscriptionId: null,
      createdAt: now.toISOString(),
      lastSignInAt: '2026-01-20T09:06:40.000Z',
    });
  });

  test('resets a plan whose time has passed', async () => {
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-20T11:00:00.000Z',
      expiry_shard: 1,
      stripe_customer_id: 'cus_ada',
    });
    const answer = await call(readPlan({ plans, billing, sessionUser }), { user: 'ada' });
    expect(answer.body).toMatchObject({ plan: 'free', planExpiresAt: null });
    expect(plans.rows.get('ada')).not.toHaveProperty('stripe_customer_id');
    expect(plans.rows.get('ada')).not.toHaveProperty('expiry_shard');
  });

  test('takes nothing away while Stripe is out of reach', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-20T11:00:00.000Z',
      stripe_customer_id: 'cus_ada',
    });
    billing.down = true;
    const answer = await call(readPlan({ plans, billing, sessionUser }), { user: 'ada' });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'plus' } });
  });

  test('does not bring back an account that is gone, whose token lasts a little longer', async () => {
    sessionUser.current = undefined;
    const answer = await call(readPlan({ plans, billing, sessionUser }), { user: 'gone' });
    expect(answer.status).toBe(401);
    expect(plans.rows.has('gone')).toBe(false);
  });

  test('without a token nobody is logged in', async () => {
    expect(await call(readPlan({ plans, billing, sessionUser }), {})).toEqual({
      status: 401,
      body: { error: 'No user logged in', code: 'not-signed-in' },
    });
  });
});

describe('opening a checkout', () => {
  test.each([
    ['somebody else’s id', { ...order, userId: 'eve' }],
    ['somebody else’s address', { ...order, userEmail: 'eve@example.com' }],
  ])('%s is refused', async (_, body) => {
    expect(await call(checkout(), { user: 'ada', body })).toMatchObject({
      status: 403,
      body: { code: 'not-yours' },
    });
    expect(billing.checkouts.size).toBe(0);
  });

  test('an unknown plan is refused', async () => {
    const body = { ...order, planName: 'platinum' };
    expect(await call(checkout(), { user: 'ada', body })).toMatchObject({
      status: 400,
      body: { code: 'unknown-plan' },
    });
  });

  test('a second tab gets the session of the first', async () => {
    const first = await call(checkout(), { user: 'ada', body: order });
    const second = await call(checkout(), { user: 'ada', body: order });
    expect(second.body).toEqual(first.body);
    expect(billing.checkouts.size).toBe(1);
  });

  test('two tabs at the same moment end with one open session', async () => {
    const answers = await Promise.all([
      call(checkout(), { user: 'ada', body: order }),
      call(checkout(), { user: 'ada', body: order }),
    ]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect([...billing.checkouts.values()].filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test('a session of an older price is not offered again', async () => {
    await call(checkout(), { user: 'ada', body: order });
    for (const [id, session] of billing.checkouts)
      billing.checkouts.set(id, { ...session, amount: PRICE - 100 });
    await call(checkout(), { user: 'ada', body: order });
    expect([...billing.checkouts.values()].map(({ status, amount }) => [status, amount])).toEqual([
      ['expired', PRICE - 100],
      ['open', PRICE],
    ]);
  });

  /** The session that was read as open, or as on its way out, is paid before the next question to Stripe. */
  const paidWhile = (step: 'checkout' | 'expireCheckout') => {
    const ask = billing[step].bind(billing) as (id: string) => Promise<never>;
    vi.spyOn(billing, step).mockImplementationOnce(async (id: string) => {
      const [session] = billing.checkouts.values();
      if (session) billing.checkouts.set(session.id, { ...session, status: 'complete' });
      billing.subscribe('cus_ada');
      return ask(id);
    });
  };

  test('a session that another tab pays while it is asked for is not followed by a second one', async () => {
    await call(checkout(), { user: 'ada', body: order });
    paidWhile('checkout');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test('a session of an older price that is paid as it is withdrawn is not followed by a second one', async () => {
    await call(checkout(), { user: 'ada', body: order });
    for (const [id, session] of billing.checkouts)
      billing.checkouts.set(id, { ...session, amount: PRICE - 100 });
    paidWhile('expireCheckout');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    expect(billing.checkouts.size).toBe(1);
  });

  test('a session that has expired is followed by a new one, and so is one whose subscription has ended', async () => {
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

  test.each(['Plus', 'PLUS'])('the plan is known as %s too', async (planName) => {
    expect((await call(checkout(), { user: 'ada', body: { ...order, planName } })).status).toBe(200);
  });

  test.each(['unpaid', 'paused', 'incomplete'])(
    'a subscription that is %s is ended first, so that it cannot come back beside the new one',
    async (status) => {
      const dormant = billing.subscribe('cus_ada', { status });
      expect((await call(checkout(), { user: 'ada', body: order })).status).toBe(200);
      expect(billing.subscriptions.get(dormant.id)?.status).toBe('canceled');
    },
  );

  test('whoever was given Plus is not sold it while it lasts, and may buy it when it is going to end', async () => {
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

  test('a customer deleted in Stripe is replaced by a new one', async () => {
    billing.customers.delete('cus_ada');
    expect((await call(checkout(), { user: 'ada', body: order })).status).toBe(200);
    expect(plans.rows.get('ada')?.billing_customer_id).not.toBe('cus_ada');
  });

  test('whoever has Plus is told so, and whoever has cancelled it is told to renew', async () => {
    const subscription = billing.subscribe('cus_ada');
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('already-subscribed');
    billing.change(subscription.id, { endsAt: subscription.currentPeriodEnd });
    expect((await call(checkout(), { user: 'ada', body: order })).body['code']).toBe('renew-instead');
  });
});

describe('asking how a payment went', () => {
  test('somebody else’s session answers like one that does not exist', async () => {
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

  test('an unpaid session is open and gives nobody Plus', async () => {
    await call(checkout(), { user: 'ada', body: order });
    const [session] = billing.checkouts.keys();
    const answer = await call(readSessionStatus({ plans, billing }), {
      user: 'ada',
      query: { session_id: String(session) },
    });
    expect(answer.body).toMatchObject({ status: 'open', subscription_id: null });
    expect(plans.rows.get('ada')?.plan).toBe('free');
  });

  test('a paid session turns the plan into Plus before any webhook', async () => {
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

describe('cancelling and renewing', () => {
  const cancel = (user: string, subscription_id: string | null) =>
    call(cancelSubscription({ plans, billing, sessionUser }), { user, body: { subscription_id } });
  const renew = (user: string) => call(renewSubscription({ plans, billing, sessionUser }), { user });
  const outcomeOf = ({ body: { code } }: { body: Record<string, unknown> }): string =>
    typeof code === 'string' ? code : 'ok';

  test('a cancelled subscription keeps Plus until the end of its period, and a renewal lifts that at no charge', async () => {
    const { id, currentPeriodEnd } = billing.subscribe('cus_ada');
    expect((await cancel('ada', id)).body).toEqual({ success: true, current_period_end: currentPeriodEnd });
    expect(plans.rows.get('ada')).toMatchObject({
      plan: 'plus',
      plan_expires_at: new Date(currentPeriodEnd * 1000).toISOString(),
      stripe_customer_id: 'cus_ada',
    });
    expect(plans.rows.get('ada')).not.toHaveProperty('stripe_subscription_id');

    expect((await renew('ada')).body).toMatchObject({
      plan: 'plus',
      planExpiresAt: null,
      stripeSubscriptionId: id,
    });
    expect(billing.subscriptions.size).toBe(1);
  });

  test('cancelling twice says that it is cancelled', async () => {
    const { id } = billing.subscribe('cus_ada');
    await cancel('ada', id);
    expect(await cancel('ada', id)).toMatchObject({ status: 409, body: { code: 'already-cancelled' } });
  });

  test('what was cancelled in Stripe’s portal is in the row by the time we say so', async () => {
    const { id, currentPeriodEnd } = billing.subscribe('cus_ada');
    billing.change(id, { endsAt: currentPeriodEnd });
    expect((await cancel('ada', id)).body['code']).toBe('already-cancelled');
    expect(plans.rows.get('ada')?.plan_expires_at).toBe(new Date(currentPeriodEnd * 1000).toISOString());
  });

  test('of two subscriptions the second is ended with its payment given back, and cannot be cancelled', async () => {
    const first = billing.subscribe('cus_ada');
    const second = billing.subscribe('cus_ada');
    expect(await cancel('ada', second.id)).toMatchObject({ status: 404 });
    expect(billing.refunds).toEqual([second.id]);
    expect((await cancel('ada', first.id)).status).toBe(200);
  });

  test('two tabs at the same moment cancel once, and renew once: the slower may hear that it is done', async () => {
    const { id } = billing.subscribe('cus_ada');
    const cancelled = await Promise.all([cancel('ada', id), cancel('ada', id)]);
    expect(cancelled.map(outcomeOf).toSorted()).toEqual(
      expect.toBeOneOf([
        ['ok', 'ok'],
        ['already-cancelled', 'ok'],
      ]),
    );
    expect(plans.rows.get('ada')).toHaveProperty('plan_expires_at');

    const renewed = await Promise.all([renew('ada'), renew('ada')]);
    expect(renewed.map(outcomeOf).toSorted()).toEqual(
      expect.toBeOneOf([
        ['ok', 'ok'],
        ['nothing-to-renew', 'ok'],
      ]),
    );
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: id });
    expect(plans.rows.get('ada')).not.toHaveProperty('plan_expires_at');
  });

  test('a subscription that ends between the look and the call is neither cancelled nor renewed', async () => {
    const { id } = billing.subscribe('cus_ada');
    /** Whoever looks, Stripe ends it right after. */
    const endingAfterLook = () => {
      const ask = billing.subscriptionsOf.bind(billing);
      vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (customer) => {
        const answer = await ask(customer);
        billing.change(id, { status: 'canceled' });
        return answer;
      });
    };
    endingAfterLook();
    expect((await cancel('ada', id)).body['code']).toBe('no-active-subscription');
    billing.change(id, { status: 'active', endsAt: Date.UTC(2026, 1, 15) / 1000 });
    endingAfterLook();
    expect((await renew('ada')).body['code']).toBe('nothing-to-renew');
    expect(plans.rows.get('ada')?.plan).toBe('free');
  });

  test('somebody else’s subscription answers like one that does not exist', async () => {
    const { id } = billing.subscribe('cus_ada');
    plans.put({ id: 'eve', plan: 'plus', billing_customer_id: 'cus_eve' });
    expect(await cancel('eve', id)).toEqual(await cancel('eve', 'sub_none'));
    expect(billing.subscriptions.get(id)?.endsAt).toBeUndefined();
  });

  test('a Plus given by hand ends with the calendar month and cannot be renewed for nothing', async () => {
    plans.put({ id: 'guest', plan: 'plus' });
    expect((await cancel('guest', null)).body).toEqual({
      success: true,
      current_period_end: Date.parse('2026-01-31T23:59:59.999Z') / 1000,
    });
    expect((await renew('guest')).body['code']).toBe('nothing-to-renew');
  });

  test('Free has no subscription to cancel', async () => {
    expect(await cancel('ada', null)).toEqual({
      status: 404,
      body: { error: 'No active subscription found', code: 'no-active-subscription' },
    });
  });
});

describe('from every state of a subscription', () => {
  const periodEnd = Date.UTC(2026, 1, 15) / 1000;
  const earlier = Date.UTC(2026, 0, 25) / 1000;
  const renewing = { plan: 'plus', stripe_subscription_id: 'sub', stripe_customer_id: 'cus_ada' };
  const endingAt = (seconds: number) => ({
    plan: 'plus',
    plan_expires_at: new Date(seconds * 1000).toISOString(),
    stripe_customer_id: 'cus_ada',
  });
  const free = { plan: 'free' };
  /** What a row says of its plan, and nothing else. */
  const planOf = ({ plan, plan_expires_at, stripe_subscription_id, stripe_customer_id }: UserPlan) => ({
    plan,
    ...(plan_expires_at && { plan_expires_at }),
    ...(stripe_subscription_id && { stripe_subscription_id }),
    ...(stripe_customer_id && { stripe_customer_id }),
  });

  const actions = {
    plan: () => call(readPlan({ plans, billing, sessionUser }), { user: 'ada' }),
    cancel: () =>
      call(cancelSubscription({ plans, billing, sessionUser }), {
        user: 'ada',
        body: { subscription_id: 'sub' },
      }),
    renew: () => call(renewSubscription({ plans, billing, sessionUser }), { user: 'ada' }),
    checkout: () => call(checkout(), { user: 'ada', body: order }),
  };
  type Action = keyof typeof actions;

  /**
   * Whether it is answered, or the refusal's code; the plan after it; the subscription's status, where it
   * changes.
   */
  type Outcome = [answer: string, plan: object, status?: string];
  const nothing: Record<Action, Outcome> = {
    plan: ['ok', free],
    cancel: ['no-active-subscription', free],
    renew: ['nothing-to-renew', free],
    checkout: ['ok', free],
  };
  const dormant: Record<Action, Outcome> = { ...nothing, checkout: ['ok', free, 'canceled'] };
  const living: Record<Action, Outcome> = {
    plan: ['ok', renewing],
    cancel: ['ok', endingAt(periodEnd)],
    renew: ['nothing-to-renew', renewing],
    checkout: ['already-subscribed', renewing],
  };
  const ending = (at: number): Record<Action, Outcome> => ({
    plan: ['ok', endingAt(at)],
    cancel: ['already-cancelled', endingAt(at)],
    renew: ['ok', renewing],
    checkout: ['renew-instead', endingAt(at)],
  });

  const states: [string, Partial<Subscription>, Record<Action, Outcome>][] = [
    ['active', { status: 'active' }, living],
    ['trialing', { status: 'trialing' }, living],
    // The time that was paid for is over, and nothing more is taken.
    ['past_due', { status: 'past_due' }, { ...living, cancel: ['ok', free, 'canceled'] }],
    ['ending with its period', { endsAt: periodEnd }, ending(periodEnd)],
    ['ending on a date of the portal’s', { endsAt: earlier }, ending(earlier)],
    ['past_due and ending', { status: 'past_due', endsAt: periodEnd }, ending(periodEnd)],
    ['unpaid', { status: 'unpaid' }, dormant],
    ['unpaid and ending', { status: 'unpaid', endsAt: periodEnd }, dormant],
    ['paused', { status: 'paused' }, dormant],
    ['incomplete', { status: 'incomplete' }, dormant],
    ['incomplete_expired', { status: 'incomplete_expired' }, nothing],
    ['canceled', { status: 'canceled' }, nothing],
    ['a word of tomorrow', { status: 'a_word_of_tomorrow' }, dormant],
  ];
  const cases = states.flatMap(([state, fields, outcomes]) =>
    Object.entries(outcomes).map(([action, outcome]) => ({
      state,
      action: action as Action,
      fields,
      outcome,
    })),
  );

  test.each(cases)('$state: $action', async ({ action, fields, outcome: [expected, plan, status] }) => {
    const before = billing.subscribe('cus_ada', { id: 'sub', currentPeriodEnd: periodEnd, ...fields });
    await reconcile({ plans, billing }, 'ada', now, { trigger: 'test' });

    const answer = await actions[action]();

    expect(answer.status === 200 ? 'ok' : answer.body['code']).toBe(expected);
    expect(billing.subscriptions.get('sub')?.status).toBe(status ?? before.status);
    const row = plans.rows.get('ada');
    expect(row && planOf(row)).toEqual(plan);
    // A second look finds nothing that the first one left to do.
    await reconcile({ plans, billing }, 'ada', now, { trigger: 'test' });
    const after = plans.rows.get('ada');
    expect(after && planOf(after)).toEqual(plan);
    expect(billing.refunds).toEqual([]);
  });

  test('cancelling one whose payment failed is told as ending now', async () => {
    billing.subscribe('cus_ada', { id: 'sub', status: 'past_due' });
    expect((await actions.cancel()).body).toEqual({
      success: true,
      current_period_end: now.getTime() / 1000,
      ended: true,
    });
  });

  test('a page that shows no subscription id hears that it is cancelled already', async () => {
    billing.subscribe('cus_ada', { id: 'sub', endsAt: periodEnd });
    const answer = await call(cancelSubscription({ plans, billing, sessionUser }), {
      user: 'ada',
      body: { subscription_id: null },
    });
    expect(answer.body['code']).toBe('already-cancelled');
  });
});

describe('an event from Stripe', () => {
  const event = {
    type: 'invoice.paid',
    created: 1_700_000_000,
    data: { object: { object: 'invoice', customer: 'cus_ada' } },
  };

  test('makes us look at whomever it is about', async () => {
    billing.subscribe('cus_ada');
    const answer = await call(receiveEvent({ plans, billing, userPool: users }), {
      body: event,
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer).toEqual({ status: 200, body: { received: true } });
    expect(plans.rows.get('ada')?.plan).toBe('plus');
  });

  test.each([{}, { 'stripe-signature': 'forged' }])(
    'without its signature is refused (%o)',
    async (headers) => {
      billing.subscribe('cus_ada');
      const answer = await call(receiveEvent({ plans, billing, userPool: users }), { body: event, headers });
      expect(answer.status).toBe(400);
      expect(plans.rows.get('ada')?.plan).toBe('free');
    },
  );

  test.each(['charge.refunded', 'refund.created', 'charge.dispute.created', 'charge.dispute.closed'])(
    'of the type %s changes no plan: the subscription’s own status does',
    async (type) => {
      billing.subscribe('cus_ada');
      const looks = vi.spyOn(billing, 'subscriptionsOf');
      const answer = await call(receiveEvent({ plans, billing, userPool: users }), {
        body: { type, created: 1_700_000_000, data: { object: { object: 'charge', customer: 'cus_ada' } } },
        headers: { 'stripe-signature': 'good' },
      });
      expect(answer).toEqual({ status: 200, body: { received: true } });
      expect(looks).not.toHaveBeenCalled();
    },
  );

  test('of a type we have no use for is taken and forgotten', async () => {
    const answer = await call(receiveEvent({ plans, billing, userPool: users }), {
      body: { type: 'product.created', data: { object: { object: 'product' } } },
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer.status).toBe(200);
  });

  test('is asked for again where a retry helps', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    billing.down = true;
    const answer = await call(receiveEvent({ plans, billing, userPool: users }), {
      body: event,
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toContain('reach');
  });
});

describe('the waitlist', () => {
  const entries = new Map<string, unknown>();
  const join = (body: unknown) =>
    call(
      joinWaitlist({
        waitlist: {
          entryOf: async () => undefined,
          add: async (entry) => {
            if (entries.has(entry.email)) return false;
            entries.set(entry.email, entry);
            return true;
          },
        },
      }),
      { body },
    );

  test('keeps the address lower-cased and trimmed, and knows it again in another case', async () => {
    const answer = await join({ email: '  Ada@Example.COM ', name: ' Ada ' });
    expect(answer).toEqual({
      status: 201,
      body: { email: 'ada@example.com', name: 'Ada', created_at: now.toISOString() },
    });
    expect(await join({ email: 'ADA@example.com', name: 'Ada' })).toEqual({
      status: 409,
      body: { error: 'This email is already on the waitlist', code: 'already-on-waitlist' },
    });
  });

  test.each([
    { email: 'ada', name: 'Ada' },
    { email: 'ada@example.com', name: '   ' },
    { email: 'ada@example.com', name: 'half a pair: \uD800' },
    { email: `${'a'.repeat(255)}@example.com`, name: 'Ada' },
    { email: ['ada@example.com'], name: 'Ada' },
    { name: 'Ada' },
  ])('refuses %o', async (body) => {
    expect(await join(body)).toMatchObject({ status: 400, body: { code: 'bad-request' } });
  });
});
