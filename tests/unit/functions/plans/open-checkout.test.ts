import { describe, expect, test, vi } from 'vitest';
import type { Checkout } from '../../../../functions/adapters/stripe/checkout-sessions.ts';
import { handler as createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { Refusal } from '../../../../functions/runtime/refusal.ts';
import { order } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { AGREEMENT } from '../../../fixtures/fakes/main-offer.ts';
import { ada, beginOnFree, billing, planTable, tasks } from '../ada.ts';
import { changeSessions, checkOut } from './checkout-acts.ts';

const { now, log } = beginOnFree();

describe('a checkout', () => {
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
    expect([...tasks.items.values()]).toMatchObject([
      { work: 'end', customer_id: 'cus_ada', user_id: 'ada', due: '2026-01-20T13:00:00.000Z' },
    ]);
    expect(log.of('customer-replaced')).toMatchObject([{ user: 'ada', customer: 'cus_ada', replacement }]);
  });

  test.each([
    ['is deleted at once', undefined],
    ['has another currency', 'other-currency'],
  ])('is refused to a user whose new customer %s', async (_, session) => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(billing, 'createSession').mockResolvedValue(session as never);
    expect(await checkOut()).toMatchObject(refused(409, 'account-closing'));
    expect(tasks.items.size).toBe(0);
  });

  test('fails if Stripe refuses the session of a new customer', async () => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(billing, 'createSession').mockRejectedValue(new Error('Stripe refuses.'));
    expect((await checkOut()).status).toBe(500);
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
    expect([...billing.checkouts.values()]).toMatchObject([
      { status: 'expired', customerId: 'cus_ada' },
      { status: 'open', customerId: 'cus_new' },
    ]);
  });

  /** Does something else just before Ada, who has no customer, gets one. */
  const beforeCustomer = (act: () => unknown) => {
    planTable.put({ id: 'ada', version: 1 });
    const createCustomer = billing.createCustomer.bind(billing);
    vi.spyOn(billing, 'createCustomer').mockImplementation(async (fields) => {
      await act();
      return createCustomer(fields);
    });
  };
  const anotherTabIsFaster = () =>
    beforeCustomer(() => planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 }));

  test('uses the customer of another tab that was faster, and deletes its own', async () => {
    anotherTabIsFaster();
    expect((await checkOut()).status).toBe(200);
    expect([...billing.checkouts.values()].map(({ customerId }) => customerId)).toEqual(['cus_ada']);
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test('leaves another tab’s customer, and has its own deleted later where Stripe refuses', async () => {
    anotherTabIsFaster();
    vi.spyOn(billing, 'deleteCustomer').mockRejectedValue(new Error('Stripe refuses.'));
    vi.spyOn(ada.sessionUser, 'account').mockRejectedValue(new Refusal('not-signed-in'));
    expect(await checkOut()).toMatchObject(refused(401, 'not-signed-in'));
    expect(planTable.rows.get('ada')?.billing_customer_id).toBe('cus_ada');
    const own = [...billing.customers.keys()].at(-1);
    expect([...tasks.items.values()]).toMatchObject([{ work: 'end', customer_id: own, user_id: 'ada' }]);
  });

  test('opens no session for an account whose deletion began while its customer was created', async () => {
    beforeCustomer(() => planTable.close('ada', '2026-01-20T12:02:00.000Z'));
    const createSession = vi.spyOn(billing, 'createSession');
    expect((await checkOut()).body['code']).toBe('account-closing');
    expect(createSession).not.toHaveBeenCalled();
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test('leaves no customer in the row of an account that was deleted meanwhile', async () => {
    planTable.put({ id: 'ada', version: 1 });
    vi.spyOn(ada.sessionUser, 'account').mockRejectedValue(new Refusal('not-signed-in'));
    expect(await checkOut()).toMatchObject(refused(401, 'not-signed-in'));
    expect(planTable.rows.get('ada')).not.toHaveProperty('billing_customer_id');
    expect([...billing.customers.keys()]).toEqual(['cus_ada']);
  });

  test.each<[string, Partial<Checkout>]>([
    ['of another offer', { agreement: { ...AGREEMENT, offer: 'plus-weekly' } }],
    ['with an older price', { agreement: { ...AGREEMENT, price: '4.00 USD per month' } }],
    ['with older terms', { agreement: { ...AGREEMENT, terms: '0.9' } }],
    ['from before agreements were stored', { agreement: undefined }],
    ['that leaves the buyer less than half an hour', { expiresAt: now.getTime() / 1000 + 1_799 }],
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
    changeSessions({ expiresAt: now.getTime() / 1000 + 1_800 });
    expect((await checkOut()).body).toEqual(first.body);
  });

  test('replaces a session from before Stripe computed taxes', async () => {
    await checkOut();
    const withTaxes = createCheckoutSession.with({ ...ada, automaticTax: true });
    for (const _ of [1, 2]) await call(withTaxes, { user: 'ada', body: order });
    expect([...billing.checkouts.values()]).toMatchObject([
      { status: 'expired', automaticTax: false },
      { status: 'open', automaticTax: true },
    ]);
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

  test('replaces a customer that was deleted in Stripe', async () => {
    billing.customers.delete('cus_ada');
    expect((await checkOut()).status).toBe(200);
    expect(planTable.rows.get('ada')?.billing_customer_id).not.toBe('cus_ada');
    expect(tasks.items.size).toBe(0);
  });
});
