import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { besideTables, type Person, type ShopWorld, shopWorld, signed } from '../../fixtures/shop-world.ts';
import { DAY, HOUR } from '../../fixtures/stripe-world.ts';

// What the tests of others ask of a shop like ours, asked of ours: grouped by who asks it, in our own words.
// What stands in another test of ours already is not repeated.

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';

besideTables();

let shop: ShopWorld;
let ada: Person;

beforeEach(async () => {
  shop = await shopWorld();
  ada = await shop.signUp();
});
afterEach(() => shop.close());

/** Ada on Plus, with what Stripe has of it. */
async function payer(card?: string) {
  const sessionId = await shop.buy(ada, card);
  const [subscription] = await shop.subscriptionsOf(ada);
  const row = await shop.rowOf(ada);
  if (!subscription || row?.plan !== 'plus') throw new Error('Ada has not got what she paid for.');
  return { sessionId, subscription, customer: String(row.billing_customer_id) };
}

const stripe = () => shop.stripe.stripe;

/** Webhooks get lost from here on. */
const loseWebhooks = () => {
  shop.post.carry = async () => 500;
};

describe('better-auth', () => {
  test('the subscription that a checkout makes carries its person’s id', async () => {
    const { subscription, customer } = await payer();
    expect(subscription.metadata).toEqual({ user_id: ada.id });
    expect(await stripe().customers.retrieve(customer)).toMatchObject({
      email: ada.email,
      metadata: { user_id: ada.id },
    });
  });

  test('however often a checkout is opened, Stripe has one customer of a person', async () => {
    await Promise.all([shop.order(ada), shop.order(ada), shop.order(ada)]);
    await shop.order(ada);
    expect((await stripe().customers.list({ email: ada.email })).data).toHaveLength(1);
  });

  test('a customer with one’s address that somebody else has made is not taken for one’s own', async () => {
    const foreign = await stripe().customers.create({
      email: ada.email,
      metadata: { user_id: 'somebody-else' },
    });
    const unowned = await stripe().customers.create({ email: ada.email });
    const { customer } = await payer();
    expect([foreign.id, unowned.id]).not.toContain(customer);
  });

  test('the way back from a checkout is the site’s own, and no request says otherwise', async () => {
    await shop.order(ada);
    const session = String((await shop.rowOf(ada))?.checkout_session_id);
    expect((await stripe().checkout.sessions.retrieve(session)).return_url).toBe(
      'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    );
  });

  test('a session that Stripe can’t tell of changes no plan, and can be asked for again', async () => {
    loseWebhooks();
    const sessionId = await shop.buy(ada);
    vi.spyOn(stripe().checkout.sessions, 'retrieve').mockRejectedValueOnce(new Error('Stripe is down.'));
    expect((await shop.status(ada, sessionId)).status).toBe(500);
    expect((await shop.rowOf(ada))?.plan).toBe('free');

    expect((await shop.status(ada, sessionId)).body).toMatchObject({ status: 'complete' });
    expect((await shop.rowOf(ada))?.plan).toBe('plus');
  });

  test('a row that says Free by mistake does not let a payer buy twice, and is put right', async () => {
    const { subscription } = await payer();
    const row = await shop.rowOf(ada);
    if (row) await shop.plans.decide(row, { plan: 'free' }, new Date());

    expect((await shop.order(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await shop.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('whoever had Plus once can buy it again, as the same customer', async () => {
    const { subscription, customer } = await payer();
    await shop.cancel(ada, subscription.id);
    await shop.advance(40 * DAY);
    expect((await shop.rowOf(ada))?.plan).toBe('free');

    await shop.buy(ada);

    const [second, first] = await shop.subscriptionsOf(ada);
    expect([first?.id, first?.status, second?.status]).toEqual([subscription.id, 'canceled', 'active']);
    expect(await shop.rowOf(ada)).toMatchObject({
      plan: 'plus',
      stripe_subscription_id: second?.id,
      billing_customer_id: customer,
    });
  });

  test('a date of cancellation that was set in the portal is lifted by Renew Plan', async () => {
    const { subscription } = await payer();
    const cancel_at = subscription.items.data[0]?.current_period_end ?? 0;
    await stripe().subscriptions.update(subscription.id, { cancel_at });
    await shop.stripe.service.allDelivered();
    expect(await shop.rowOf(ada)).toMatchObject({
      plan: 'plus',
      plan_expires_at: new Date(cancel_at * 1000).toISOString(),
    });

    expect((await shop.renew(ada)).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
    expect((await stripe().subscriptions.retrieve(subscription.id)).cancel_at).toBeNull();
  });

  test('there is nothing to renew about what renews by itself, nor about what has ended', async () => {
    const { subscription } = await payer();
    expect((await shop.renew(ada)).body).toMatchObject({ code: 'nothing-to-renew' });
    await stripe().subscriptions.cancel(subscription.id);
    expect((await shop.renew(ada)).body).toMatchObject({ code: 'nothing-to-renew' });
  });

  test('cancelling what has ended in Stripe without our hearing of it says that there is none, and leaves Free', async () => {
    const { subscription } = await payer();
    loseWebhooks();
    await stripe().subscriptions.cancel(subscription.id);
    expect(await shop.cancel(ada, subscription.id)).toMatchObject({
      status: 404,
      body: { code: 'no-active-subscription' },
    });
    expect((await shop.rowOf(ada))?.plan).toBe('free');
  });

  test('a subscription that support makes in Stripe gives Plus, without a checkout', async () => {
    const { subscription, customer } = await payer();
    await stripe().subscriptions.cancel(subscription.id);
    const method = await stripe().paymentMethods.attach('pm_card_visa', { customer });
    const made = await stripe().subscriptions.create({
      customer,
      items: [{ price: String(subscription.items.data[0]?.price.id) }],
      default_payment_method: method.id,
    });
    await shop.stripe.service.allDelivered();
    expect(await shop.rowOf(ada)).toMatchObject({ plan: 'plus', stripe_subscription_id: made.id });
  });

  test('a subscription that is ended at once takes Plus with it at once', async () => {
    const { subscription } = await payer();
    await stripe().subscriptions.cancel(subscription.id);
    await shop.stripe.service.allDelivered();
    expect(await shop.rowOf(ada)).toMatchObject({ plan: 'free' });
  });

  test('one that is cancelled for its period’s end keeps Plus to the last second, and no longer', async () => {
    const { subscription } = await payer();
    await shop.cancel(ada, subscription.id);
    const end = (subscription.items.data[0]?.current_period_end ?? 0) * 1000;

    await shop.advance(end - Date.now() - 1000);
    expect((await shop.plan(ada)).body).toMatchObject({ plan: 'plus' });
    await shop.advance(1000);
    expect((await shop.plan(ada)).body).toMatchObject({ plan: 'free', planExpiresAt: null });
  });

  test('an event about a customer who is nobody’s is taken, and makes nobody', async () => {
    const before = await shop.rowOf(ada);
    const stranger = { object: 'subscription', id: 'sub_foreign', customer: 'cus_foreign', status: 'active' };
    expect(await shop.hear(signed(event('customer.subscription.created', stranger)))).toBe(200);
    expect(await shop.rowOf(ada)).toEqual(before);
  });
});

describe('stripe-sync-engine', () => {
  test('the same event over and over leaves everything as it was', async () => {
    await payer();
    const before = await shop.rowOf(ada);
    for (const { event: heard } of shop.stripe.received) {
      expect(await shop.hear(signed(heard))).toBe(200);
      expect(await shop.hear(signed(heard))).toBe(200);
    }
    expect({ ...(await shop.rowOf(ada)), version: 0 }).toEqual({ ...before, version: 0 });
  });

  test('older events that come after younger ones, in whatever order, change nothing', async () => {
    const { subscription } = await payer();
    await shop.cancel(ada, subscription.id);
    await stripe().subscriptions.cancel(subscription.id);
    await shop.stripe.service.allDelivered();
    const told = shop.stripe.received.map(({ event: heard }) => heard);

    for (const heard of [...told, ...told.toReversed()]) {
      expect(await shop.hear(signed(heard))).toBe(200);
      expect((await shop.rowOf(ada))?.plan).toBe('free');
    }
  });

  test('what a signed event says of its subscription is not believed; Stripe is asked', async () => {
    const { subscription, customer } = await payer();
    const ended = { ...subscription, status: 'canceled', ended_at: subscription.created };
    await shop.hear(signed(event('customer.subscription.deleted', ended)));
    expect((await shop.rowOf(ada))?.plan).toBe('plus');

    await stripe().subscriptions.cancel(subscription.id);
    await shop.hear(signed(event('customer.subscription.updated', { ...subscription, customer })));
    expect((await shop.rowOf(ada))?.plan).toBe('free');
  });

  test('our signature is found among others: of another scheme, and of a secret that is being replaced', async () => {
    const { body, headers } = signed(event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' }));
    const [moment, ours] = String(headers['stripe-signature']).split(',');
    const among = (...signatures: (string | undefined)[]) =>
      shop.hear({ body, headers: { 'stripe-signature': [moment, ...signatures].join(',') } });
    expect(await among(ours, 'v0=ff')).toBe(200);
    expect(await among(`v1=${'0'.repeat(64)}`, ours)).toBe(200);
    expect(await among(`v1=${'0'.repeat(64)}`, ours?.replace('v1', 'v0'))).toBe(400);
  });

  test('somebody with more behind them than one page of Stripe’s holds has what runs now', async () => {
    const { subscription, customer } = await payer();
    shop.post.carry = async () => 200;
    const method = await stripe().paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    // Newest first: what runs comes on the second page.
    for (let count = 0; count < 100; count += 1) {
      const past = await stripe().subscriptions.create({
        customer,
        items,
        default_payment_method: method.id,
      });
      await stripe().subscriptions.cancel(past.id);
    }
    expect((await shop.order(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await shop.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('whoever’s customer is deleted in Stripe is on Free, and becomes a new customer with the next checkout', async () => {
    const { customer } = await payer();
    await stripe().customers.del(customer);
    await shop.stripe.service.allDelivered();
    expect((await shop.rowOf(ada))?.plan).toBe('free');

    await shop.buy(ada);
    expect((await shop.rowOf(ada))?.plan).toBe('plus');
    expect((await shop.rowOf(ada))?.billing_customer_id).not.toBe(customer);
  });
});

describe('laravel/cashier', () => {
  test('a cancellation for a day half a year ahead shows that day', async () => {
    const { subscription } = await payer();
    const cancel_at = Date.parse('2030-07-15T12:00:00Z') / 1000;
    await stripe().subscriptions.update(subscription.id, { cancel_at });
    await shop.stripe.service.allDelivered();
    expect((await shop.plan(ada)).body).toMatchObject({
      plan: 'plus',
      planExpiresAt: '2030-07-15T12:00:00.000Z',
    });
    // Until then it renews as before.
    await shop.advance(100 * DAY);
    expect((await shop.plan(ada)).body).toMatchObject({
      plan: 'plus',
      planExpiresAt: '2030-07-15T12:00:00.000Z',
    });
  });

  test('a cancellation that is taken back in Stripe leaves a plan without an end', async () => {
    const { subscription } = await payer();
    await shop.cancel(ada, subscription.id);
    await stripe().subscriptions.update(subscription.id, { cancel_at_period_end: false });
    await shop.stripe.service.allDelivered();
    expect((await shop.plan(ada)).body).toMatchObject({
      planExpiresAt: null,
      stripeSubscriptionId: subscription.id,
    });
  });

  test('a declined card leaves Free and the checkout open, and the next card pays', async () => {
    await shop.buy(ada, '4000 0000 0000 0002');
    expect(await shop.subscriptionsOf(ada)).toEqual([]);
    expect((await shop.rowOf(ada))?.plan).toBe('free');
    await payer();
  });

  test('a first payment that is never made gives nobody Plus, and is no hindrance afterwards', async () => {
    const { subscription, customer } = await payer();
    await stripe().subscriptions.cancel(subscription.id);
    const failing = await stripe().paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    await stripe().subscriptions.create({ customer, items, default_payment_method: failing.id });
    await shop.stripe.service.allDelivered();
    expect((await shop.rowOf(ada))?.plan).toBe('free');

    await shop.advance(24 * HOUR);
    expect((await shop.subscriptionsOf(ada))[0]?.status).toBe('incomplete_expired');
    expect((await shop.rowOf(ada))?.plan).toBe('free');
    await shop.buy(ada);
    expect((await shop.rowOf(ada))?.plan).toBe('plus');
  });

  test('a signature is good for five minutes and not a second longer', async () => {
    const told = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    const now = Math.floor(Date.now() / 1000);
    expect(await shop.hear(signed(told, { at: now - 300 }))).toBe(200);
    expect(await shop.hear(signed(told, { at: now - 301 }))).toBe(400);
  });

  test.each([
    ['with a moment that is none', { at: 'yesterday' }],
    ['with another secret', { secret: 'whsec_other' }],
    ['with an empty secret', { secret: '' }],
  ])('what is signed %s is refused', async (_, how) => {
    const told = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    expect(await shop.hear(signed(told, how))).toBe(400);
  });
});

describe('pay-rails/pay', () => {
  test('a checkout that names somebody but belongs to a foreign customer gives them nothing', async () => {
    const paid = {
      object: 'checkout.session',
      id: 'cs_live_link',
      customer: 'cus_foreign',
      client_reference_id: ada.id,
      metadata: { user_id: ada.id },
      status: 'complete',
      payment_status: 'paid',
      subscription: 'sub_foreign',
    };
    expect(await shop.hear(signed(event('checkout.session.completed', paid)))).toBe(200);
    expect(await shop.rowOf(ada)).toMatchObject({ plan: 'free' });
    expect(await shop.rowOf(ada)).not.toHaveProperty('billing_customer_id');
  });

  test('an invoice of a customer of ours without a subscription is no reason for Plus', async () => {
    const { subscription, customer } = await payer();
    await stripe().subscriptions.cancel(subscription.id);
    const single = { object: 'invoice', id: 'in_single', customer, parent: null, status: 'paid' };
    expect(await shop.hear(signed(event('invoice.paid', single)))).toBe(200);
    expect((await shop.rowOf(ada))?.plan).toBe('free');
  });

  test('a card that fails at renewal keeps Plus while Stripe tries again, and loses it when Stripe gives up', async () => {
    const { subscription } = await payer(FAILS_AT_RENEWALS);
    await shop.advance(40 * DAY);
    expect((await stripe().subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect((await shop.rowOf(ada))?.plan).toBe('plus');

    await shop.advance(10 * DAY);
    expect((await stripe().subscriptions.retrieve(subscription.id)).status).toBe('canceled');
    expect((await shop.rowOf(ada))?.plan).toBe('free');
  });

  test('where Stripe makes no customer nothing is kept, and the next try works', async () => {
    vi.spyOn(stripe().customers, 'create').mockRejectedValueOnce(new Error('Stripe is down.'));
    expect((await shop.order(ada)).status).toBe(500);
    expect(await shop.rowOf(ada)).not.toHaveProperty('billing_customer_id');
    await payer();
  });

  test('a signed body that is no event at all is not asked for again', async () => {
    expect(await shop.hear(signed('{"half": '))).toBe(400);
    expect(await shop.hear(signed({ hello: 'world' }))).toBe(200);
    expect(await shop.hear(signed({ id: 'evt_1', object: 'v2.core.event', type: 'v1.x' }))).toBe(200);
  });
});

/** An event as Stripe writes them; `object` is as far as we read it. */
const event = (type: string, object: Record<string, unknown> | object) => ({
  id: 'evt_outside',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1000),
  type,
  data: { object },
});
