import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  setUpTables,
  type User,
  type BillingWorld,
  startBillingWorld,
  signed,
} from '../../fixtures/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/stripe-stand-in.ts';

// Cases from the test suites of other projects with Stripe subscriptions, grouped by project. Cases that our
// other tests cover are not repeated.

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';

setUpTables();

let world: BillingWorld;
let ada: User;

beforeEach(async () => {
  world = await startBillingWorld();
  ada = await world.signUp();
});
afterEach(() => world.close());

/** Buys Plus for Ada. */
async function buyPlus(card?: string) {
  const sessionId = await world.buy(ada, card);
  const [subscription] = await world.subscriptionsOf(ada);
  const row = await world.rowOf(ada);
  if (!subscription || row?.plan !== 'plus') throw new Error('Ada paid and is not on Plus.');
  return { sessionId, subscription, customer: String(row.billing_customer_id) };
}

const stripe = () => world.stripe.stripe;

/** Loses all webhooks from now on. */
const loseWebhooks = () => {
  world.webhooks.deliver = async () => 500;
};

describe('cases from better-auth', () => {
  test('the subscription that a checkout creates has the user’s id', async () => {
    const { subscription, customer } = await buyPlus();
    expect(subscription.metadata).toEqual({ user_id: ada.id });
    expect(await stripe().customers.retrieve(customer)).toMatchObject({
      email: ada.email,
      metadata: { user_id: ada.id },
    });
  });

  test('repeated and concurrent checkouts create one customer', async () => {
    await Promise.all([world.openCheckout(ada), world.openCheckout(ada), world.openCheckout(ada)]);
    await world.openCheckout(ada);
    expect((await stripe().customers.list({ email: ada.email })).data).toHaveLength(1);
  });

  test('another customer with the same address is not used', async () => {
    const foreign = await stripe().customers.create({
      email: ada.email,
      metadata: { user_id: 'somebody-else' },
    });
    const unowned = await stripe().customers.create({ email: ada.email });
    const { customer } = await buyPlus();
    expect([foreign.id, unowned.id]).not.toContain(customer);
  });

  test('the return address of a checkout is on the site', async () => {
    await world.openCheckout(ada);
    const session = String((await world.rowOf(ada))?.checkout_session_id);
    expect((await stripe().checkout.sessions.retrieve(session)).return_url).toBe(
      'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    );
  });

  test('a session status that Stripe fails to answer changes no plan and can be tried again', async () => {
    loseWebhooks();
    const sessionId = await world.buy(ada);
    vi.spyOn(stripe().checkout.sessions, 'retrieve').mockRejectedValueOnce(new Error('Stripe is down.'));
    expect((await world.sessionStatus(ada, sessionId)).status).toBe(500);
    expect((await world.rowOf(ada))?.plan).toBe('free');

    expect((await world.sessionStatus(ada, sessionId)).body).toMatchObject({ status: 'complete' });
    expect((await world.rowOf(ada))?.plan).toBe('plus');
  });

  test('a checkout is refused and the row corrected if the row is wrongly on Free', async () => {
    const { subscription } = await buyPlus();
    const row = await world.rowOf(ada);
    if (row) await world.plans.decide(row, { plan: 'free' }, new Date());

    expect((await world.openCheckout(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await world.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('a user whose Plus has ended can buy it again as the same customer', async () => {
    const { subscription, customer } = await buyPlus();
    await world.cancel(ada, subscription.id);
    await world.advance(40 * DAY);
    expect((await world.rowOf(ada))?.plan).toBe('free');

    await world.buy(ada);

    const [second, first] = await world.subscriptionsOf(ada);
    expect([first?.id, first?.status, second?.status]).toEqual([subscription.id, 'canceled', 'active']);
    expect(await world.rowOf(ada)).toMatchObject({
      plan: 'plus',
      stripe_subscription_id: second?.id,
      billing_customer_id: customer,
    });
  });

  test('renewing undoes a cancellation date that was set in the portal', async () => {
    const { subscription } = await buyPlus();
    const cancel_at = subscription.items.data[0]?.current_period_end ?? 0;
    await stripe().subscriptions.update(subscription.id, { cancel_at });
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({
      plan: 'plus',
      plan_expires_at: new Date(cancel_at * 1000).toISOString(),
    });

    expect((await world.renew(ada)).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
    expect((await stripe().subscriptions.retrieve(subscription.id)).cancel_at).toBeNull();
  });

  test('renewing is refused for a renewing subscription and for an ended subscription', async () => {
    const { subscription } = await buyPlus();
    expect((await world.renew(ada)).body).toMatchObject({ code: 'nothing-to-renew' });
    await stripe().subscriptions.cancel(subscription.id);
    expect((await world.renew(ada)).body).toMatchObject({ code: 'nothing-to-renew' });
  });

  test('cancelling a subscription whose end we missed is refused and sets the row to Free', async () => {
    const { subscription } = await buyPlus();
    loseWebhooks();
    await stripe().subscriptions.cancel(subscription.id);
    expect(await world.cancel(ada, subscription.id)).toMatchObject({
      status: 404,
      body: { code: 'no-active-subscription' },
    });
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a subscription that support creates in Stripe gives Plus', async () => {
    const { subscription, customer } = await buyPlus();
    await stripe().subscriptions.cancel(subscription.id);
    const method = await stripe().paymentMethods.attach('pm_card_visa', { customer });
    const made = await stripe().subscriptions.create({
      customer,
      items: [{ price: String(subscription.items.data[0]?.price.id) }],
      default_payment_method: method.id,
    });
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'plus', stripe_subscription_id: made.id });
  });

  test('a subscription that is ended at once ends Plus at once', async () => {
    const { subscription } = await buyPlus();
    await stripe().subscriptions.cancel(subscription.id);
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'free' });
  });

  test('a subscription that is cancelled at the period’s end keeps Plus to the last second', async () => {
    const { subscription } = await buyPlus();
    await world.cancel(ada, subscription.id);
    const end = (subscription.items.data[0]?.current_period_end ?? 0) * 1000;

    await world.advance(end - Date.now() - 1000);
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'plus' });
    await world.advance(1000);
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'free', planExpiresAt: null });
  });

  test('an event about an unknown customer is accepted and changes no row', async () => {
    const before = await world.rowOf(ada);
    const foreignSubscription = {
      object: 'subscription',
      id: 'sub_foreign',
      customer: 'cus_foreign',
      status: 'active',
    };
    expect(
      await world.receiveWebhook(signed(event('customer.subscription.created', foreignSubscription))),
    ).toBe(200);
    expect(await world.rowOf(ada)).toEqual(before);
  });
});

describe('cases from stripe-sync-engine', () => {
  test('a repeated event changes nothing', async () => {
    await buyPlus();
    const before = await world.rowOf(ada);
    for (const { event: repeated } of world.stripe.received) {
      expect(await world.receiveWebhook(signed(repeated))).toBe(200);
      expect(await world.receiveWebhook(signed(repeated))).toBe(200);
    }
    expect({ ...(await world.rowOf(ada)), version: 0 }).toEqual({ ...before, version: 0 });
  });

  test('older events that arrive after newer events, in any order, change nothing', async () => {
    const { subscription } = await buyPlus();
    await world.cancel(ada, subscription.id);
    await stripe().subscriptions.cancel(subscription.id);
    await world.stripe.service.allDelivered();
    const events = world.stripe.received.map(({ event: delivered }) => delivered);

    for (const repeated of [...events, ...events.toReversed()]) {
      expect(await world.receiveWebhook(signed(repeated))).toBe(200);
      expect((await world.rowOf(ada))?.plan).toBe('free');
    }
  });

  test('the plan follows the subscription at Stripe, not its state in the event', async () => {
    const { subscription, customer } = await buyPlus();
    const ended = { ...subscription, status: 'canceled', ended_at: subscription.created };
    await world.receiveWebhook(signed(event('customer.subscription.deleted', ended)));
    expect((await world.rowOf(ada))?.plan).toBe('plus');

    await stripe().subscriptions.cancel(subscription.id);
    await world.receiveWebhook(signed(event('customer.subscription.updated', { ...subscription, customer })));
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a valid signature is found among signatures of another scheme or secret', async () => {
    const { body, headers } = signed(event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' }));
    const [time, ours] = String(headers['stripe-signature']).split(',');
    const deliverWith = (...signatures: (string | undefined)[]) =>
      world.receiveWebhook({ body, headers: { 'stripe-signature': [time, ...signatures].join(',') } });
    expect(await deliverWith(ours, 'v0=ff')).toBe(200);
    expect(await deliverWith(`v1=${'0'.repeat(64)}`, ours)).toBe(200);
    expect(await deliverWith(`v1=${'0'.repeat(64)}`, ours?.replace('v1', 'v0'))).toBe(400);
  });

  test('an active subscription on the second page of Stripe’s list is found', async () => {
    const { subscription, customer } = await buyPlus();
    world.webhooks.deliver = async () => 200;
    const method = await stripe().paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    // Stripe lists the newest first, so the active subscription is on the second page.
    for (let count = 0; count < 100; count += 1) {
      const past = await stripe().subscriptions.create({
        customer,
        items,
        default_payment_method: method.id,
      });
      await stripe().subscriptions.cancel(past.id);
    }
    expect((await world.openCheckout(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await world.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('deleting the customer in Stripe ends Plus, and the next checkout creates a new customer', async () => {
    const { customer } = await buyPlus();
    await stripe().customers.del(customer);
    await world.stripe.service.allDelivered();
    expect((await world.rowOf(ada))?.plan).toBe('free');

    await world.buy(ada);
    expect((await world.rowOf(ada))?.plan).toBe('plus');
    expect((await world.rowOf(ada))?.billing_customer_id).not.toBe(customer);
  });
});

describe('cases from laravel/cashier', () => {
  test('a cancellation date half a year ahead is the plan’s expiry', async () => {
    const { subscription } = await buyPlus();
    const cancel_at = Date.parse('2030-07-15T12:00:00Z') / 1000;
    await stripe().subscriptions.update(subscription.id, { cancel_at });
    await world.stripe.service.allDelivered();
    expect((await world.plan(ada)).body).toMatchObject({
      plan: 'plus',
      planExpiresAt: '2030-07-15T12:00:00.000Z',
    });
    // Until then it renews.
    await world.advance(100 * DAY);
    expect((await world.plan(ada)).body).toMatchObject({
      plan: 'plus',
      planExpiresAt: '2030-07-15T12:00:00.000Z',
    });
  });

  test('a cancellation that is undone in Stripe leaves a plan without an expiry', async () => {
    const { subscription } = await buyPlus();
    await world.cancel(ada, subscription.id);
    await stripe().subscriptions.update(subscription.id, { cancel_at_period_end: false });
    await world.stripe.service.allDelivered();
    expect((await world.plan(ada)).body).toMatchObject({
      planExpiresAt: null,
      stripeSubscriptionId: subscription.id,
    });
  });

  test('a declined card leaves the row on Free and the checkout open for the next card', async () => {
    await world.buy(ada, '4000 0000 0000 0002');
    expect(await world.subscriptionsOf(ada)).toEqual([]);
    expect((await world.rowOf(ada))?.plan).toBe('free');
    await buyPlus();
  });

  test('a first payment that is never made gives no Plus and does not prevent a later purchase', async () => {
    const { subscription, customer } = await buyPlus();
    await stripe().subscriptions.cancel(subscription.id);
    const failing = await stripe().paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    await stripe().subscriptions.create({ customer, items, default_payment_method: failing.id });
    await world.stripe.service.allDelivered();
    expect((await world.rowOf(ada))?.plan).toBe('free');

    await world.advance(24 * HOUR);
    expect((await world.subscriptionsOf(ada))[0]?.status).toBe('incomplete_expired');
    expect((await world.rowOf(ada))?.plan).toBe('free');
    await world.buy(ada);
    expect((await world.rowOf(ada))?.plan).toBe('plus');
  });

  test('a signature is valid for exactly five minutes', async () => {
    const invoicePaid = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    const now = Math.floor(Date.now() / 1000);
    expect(await world.receiveWebhook(signed(invoicePaid, { at: now - 300 }))).toBe(200);
    expect(await world.receiveWebhook(signed(invoicePaid, { at: now - 301 }))).toBe(400);
  });

  test.each([
    ['with an invalid time', { at: 'yesterday' }],
    ['with another secret', { secret: 'whsec_other' }],
    ['with an empty secret', { secret: '' }],
  ])('an event that is signed %s is refused', async (_, how) => {
    const invoicePaid = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    expect(await world.receiveWebhook(signed(invoicePaid, how))).toBe(400);
  });
});

describe('cases from pay-rails/pay', () => {
  test('a checkout of an unknown customer that names a user gives that user nothing', async () => {
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
    expect(await world.receiveWebhook(signed(event('checkout.session.completed', paid)))).toBe(200);
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'free' });
    expect(await world.rowOf(ada)).not.toHaveProperty('billing_customer_id');
  });

  test('an invoice without a subscription gives no Plus', async () => {
    const { subscription, customer } = await buyPlus();
    await stripe().subscriptions.cancel(subscription.id);
    const single = { object: 'invoice', id: 'in_single', customer, parent: null, status: 'paid' };
    expect(await world.receiveWebhook(signed(event('invoice.paid', single)))).toBe(200);
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a card that fails at renewal keeps Plus until Stripe gives up', async () => {
    const { subscription } = await buyPlus(FAILS_AT_RENEWALS);
    await world.advance(40 * DAY);
    expect((await stripe().subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect((await world.rowOf(ada))?.plan).toBe('plus');

    await world.advance(10 * DAY);
    expect((await stripe().subscriptions.retrieve(subscription.id)).status).toBe('canceled');
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a failed creation of a customer stores nothing, and the next try works', async () => {
    vi.spyOn(stripe().customers, 'create').mockRejectedValueOnce(new Error('Stripe is down.'));
    expect((await world.openCheckout(ada)).status).toBe(500);
    expect(await world.rowOf(ada)).not.toHaveProperty('billing_customer_id');
    await buyPlus();
  });

  test('a signed body that is no event is not sent again', async () => {
    expect(await world.receiveWebhook(signed('{"half": '))).toBe(400);
    expect(await world.receiveWebhook(signed({ hello: 'world' }))).toBe(200);
    expect(await world.receiveWebhook(signed({ id: 'evt_1', object: 'v2.core.event', type: 'v1.x' }))).toBe(
      200,
    );
  });
});

/** An event as Stripe sends it. `object` needs only the fields that we read. */
const event = (type: string, object: Record<string, unknown> | object) => ({
  id: 'evt_outside',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1000),
  type,
  data: { object },
});
