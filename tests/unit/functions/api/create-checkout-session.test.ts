import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Checkout } from '../../../../functions/adapters/stripe/billing.ts';
import { createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { readSessionStatus } from '../../../../functions/api/session-status.ts';
import { Refusal } from '../../../../functions/runtime/refusal.ts';
import { adaOnFree, order } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { AGREEMENT } from '../../../fixtures/fakes/main-offer.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

stopClock('2026-01-20T12:00:00Z');
const NOON = Date.UTC(2026, 0, 20, 12) / 1000;
const log = watchLog();
let ada = adaOnFree();
let { planTable, billing } = ada;
beforeEach(() => {
  ada = adaOnFree();
  ({ planTable, billing } = ada);
});

const checkOut = (body: object = order, user = 'ada') => call(createCheckoutSession(ada), { user, body });
const statusOf = (session_id: string | undefined, user = 'ada') =>
  call(readSessionStatus(ada), { user, query: { session_id: String(session_id) } });

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

  test('leads back to the page that reads the session', async () => {
    const createSession = vi.spyOn(billing, 'createSession');
    await checkOut();
    const returnUrl = `${ada.siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
    expect(createSession).toHaveBeenCalledWith(expect.objectContaining({ returnUrl }));
  });

  test('replaces a customer of another currency, whose billing is then ended', async () => {
    const createSession = billing.createSession.bind(billing);
    vi.spyOn(billing, 'createSession').mockImplementation(async (fields) =>
      fields.customerId === 'cus_ada' ? ('other-currency' as never) : createSession(fields),
    );
    expect((await checkOut()).status).toBe(200);
    const replacement = planTable.rows.get('ada')?.billing_customer_id;
    expect([...ada.tasks.items.values()]).toMatchObject([
      { work: 'end', customer_id: 'cus_ada', user_id: 'ada' },
    ]);
    expect(log.of('customer-replaced')).toMatchObject([{ user: 'ada', customer: 'cus_ada', replacement }]);
  });

  test.each([
    ['whose new customer is deleted at once', undefined, refused(409, 'account-closing')],
    ['whose new customer has another currency', 'other-currency', refused(409, 'account-closing')],
  ] as const)('is refused to a user %s', async (_, session, expected) => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(billing, 'createSession').mockResolvedValue(session as never);
    expect(await checkOut()).toMatchObject(expected);
    expect(ada.tasks.items.size).toBe(0);
  });

  test('fails if Stripe refuses the session of a new customer', async () => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(billing, 'createSession').mockRejectedValue(new Error('Stripe refuses.'));
    expect((await checkOut()).status).toBe(500);
  });

  test('takes the user’s own address in any case', async () => {
    expect((await checkOut({ ...order, userEmail: order.userEmail.toUpperCase() })).status).toBe(200);
  });

  test('returns the session of the first tab to a second tab', async () => {
    const first = await checkOut();
    const second = await checkOut();
    expect(second.body).toEqual(first.body);
    expect(billing.checkouts.size).toBe(1);
  });

  test('replaces a session of a customer that the row no longer names', async () => {
    await checkOut();
    const [id = ''] = billing.checkouts.keys();
    billing.customers.set('cus_new', 'ada');
    planTable.put({ id: 'ada', billing_customer_id: 'cus_new', checkout_session_id: id, version: 1 });
    expect((await checkOut()).status).toBe(200);
    expect([...billing.checkouts.values()].map(({ status, customerId }) => [status, customerId])).toEqual([
      ['expired', 'cus_ada'],
      ['open', 'cus_new'],
    ]);
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

  test('uses the customer of another tab that was faster, and deletes its own', async () => {
    planTable.put({ id: 'ada', version: 1 });
    const createCustomer = billing.createCustomer.bind(billing);
    vi.spyOn(billing, 'createCustomer').mockImplementation(async (fields) => {
      planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
      return createCustomer(fields);
    });
    expect((await checkOut()).status).toBe(200);
    expect([...billing.checkouts.values()].map(({ customerId }) => customerId)).toEqual(['cus_ada']);
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test('leaves another tab’s customer, and has its own deleted later where Stripe refuses', async () => {
    planTable.put({ id: 'ada', version: 1 });
    const createCustomer = billing.createCustomer.bind(billing);
    vi.spyOn(billing, 'createCustomer').mockImplementation(async (fields) => {
      planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
      return createCustomer(fields);
    });
    vi.spyOn(billing, 'deleteCustomer').mockRejectedValue(new Error('Stripe refuses.'));
    vi.spyOn(ada.sessionUser, 'profile').mockRejectedValue(new Refusal('not-signed-in'));
    expect(await checkOut()).toMatchObject(refused(401, 'not-signed-in'));
    expect(planTable.rows.get('ada')?.billing_customer_id).toBe('cus_ada');
    const own = [...billing.customers.keys()].at(-1);
    expect([...ada.tasks.items.values()]).toMatchObject([{ work: 'end', customer_id: own, user_id: 'ada' }]);
  });

  test('opens no session for an account whose deletion began while its customer was created', async () => {
    planTable.put({ id: 'ada', version: 1 });
    const createCustomer = billing.createCustomer.bind(billing);
    vi.spyOn(billing, 'createCustomer').mockImplementation(async (fields) => {
      await planTable.close('ada', '2026-01-20T12:02:00.000Z');
      return createCustomer(fields);
    });
    const createSession = vi.spyOn(billing, 'createSession');
    expect(await checkOut()).toMatchObject({
      body: { code: 'account-closing' },
    });
    expect(createSession).not.toHaveBeenCalled();
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test('leaves no customer in the row of an account that was deleted meanwhile', async () => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(ada.sessionUser, 'profile').mockRejectedValue(new Refusal('not-signed-in'));
    expect(await checkOut()).toMatchObject(refused(401, 'not-signed-in'));
    expect(planTable.rows.get('ada')).not.toHaveProperty('billing_customer_id');
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test('leaves one open session if two tabs open a checkout at the same time', async () => {
    const answers = await Promise.all([checkOut(), checkOut()]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect([...billing.checkouts.values()].filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test.each<[string, Partial<Checkout>]>([
    ['of another offer', { agreement: { ...AGREEMENT, offer: 'plus-weekly' } }],
    ['with an older price', { agreement: { ...AGREEMENT, price: '4.00 USD per month' } }],
    ['with older terms', { agreement: { ...AGREEMENT, terms: '0.9' } }],
    ['from before agreements were stored', { agreement: undefined }],
    ['that leaves the buyer less than half an hour', { expiresAt: NOON + 1_799 }],
  ])('replaces a session %s', async (_, older) => {
    await checkOut();
    changeSessions(older);
    await checkOut();
    expect([...billing.checkouts.values()]).toMatchObject([
      { status: 'expired', ...older },
      { status: 'open', agreement: AGREEMENT },
    ]);
  });

  test('keeps a session that leaves the buyer half an hour', async () => {
    const first = await checkOut();
    changeSessions({ expiresAt: NOON + 1_800 });
    expect((await checkOut()).body).toEqual(first.body);
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

  test('replaces a session from before Stripe computed taxes', async () => {
    await checkOut();
    const withTaxes = createCheckoutSession({ ...ada, automaticTax: true });
    await call(withTaxes, { user: 'ada', body: order });
    await call(withTaxes, { user: 'ada', body: order });
    expect([...billing.checkouts.values()].map(({ status, automaticTax }) => [status, automaticTax])).toEqual(
      [
        ['expired', false],
        ['open', true],
      ],
    );
  });

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

  test('opens a new session after an expired session, and after a session whose subscription has ended', async () => {
    await checkOut();
    const [expired] = billing.checkouts.keys();
    await billing.expireCheckout(String(expired));
    const second = await checkOut();
    expect(second.body['clientSecret']).not.toBe(`${expired}_secret`);

    const complete = String(second.body['clientSecret']).replace('_secret', '');
    billing.pay(complete);
    expect((await checkOut()).body['code']).toBe('already-subscribed');
    for (const paid of billing.subscriptions.values()) await billing.cancelNow(paid);
    const third = await checkOut();
    expect(third.status).toBe(200);
    expect(third.body['clientSecret']).not.toBe(`${complete}_secret`);
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

  test('replaces a customer that was deleted in Stripe', async () => {
    billing.customers.delete('cus_ada');
    expect((await checkOut()).status).toBe(200);
    expect(planTable.rows.get('ada')?.billing_customer_id).not.toBe('cus_ada');
  });
});

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
    billing.checkouts.set(session, { ...(billing.checkouts.get(session) as Checkout), subscription });
    expect((await statusOf(session)).body).toMatchObject({
      status: 'complete',
      payment,
      subscription_id: id,
      subscription_current_period_end: subscription?.currentPeriodEnd,
    });
    expect(planTable.rows.get('ada')?.plan).toBe(plan);
    expect(billing.subscriptions.get(id)?.state.kind).toBe(after);
  });

  const paidSession = async (subscribed = true) => {
    const session = await billing.createSession({ customerId: 'cus_ada' });
    billing.pay(String(session?.id));
    const paid = billing.checkouts.get(String(session?.id));
    if (paid && !subscribed) billing.checkouts.set(paid.id, { ...paid, subscription: undefined });
    return String(session?.id);
  };

  test('is not found by another payer', async () => {
    const session = await paidSession();
    planTable.put({ id: 'eve', billing_customer_id: 'cus_eve', version: 1 });
    expect(await statusOf(session, 'eve')).toMatchObject(refused(404, 'not-found'));
    expect((await statusOf(session)).status).toBe(200);
  });

  test('is not found without a customer, by a user without one', async () => {
    const session = await paidSession();
    billing.checkouts.set(session, {
      ...(billing.checkouts.get(session) as Checkout),
      customerId: undefined,
    });
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
    expect(await statusOf(session)).toMatchObject({
      status: 200,
      body: { status: 'complete', subscription_status: 'active', refunded: false },
    });
    expect(log.errors).toMatchObject([{ event: 'plan-not-decided', user: 'ada' }]);
  });

  test('of an account that is deleted meanwhile, or without a subscription, is no failure', async () => {
    const withoutSubscription = await paidSession(false);
    expect((await statusOf(withoutSubscription)).body).toMatchObject({
      status: 'complete',
      subscription_id: null,
    });
    const session = await paidSession();
    vi.spyOn(planTable, 'decide').mockImplementation(async ({ id }) => {
      planTable.rows.delete(id);
      return undefined;
    });
    expect((await statusOf(session)).body).toMatchObject({ status: 'complete' });
    expect(log.errors).toEqual([]);
  });
});
