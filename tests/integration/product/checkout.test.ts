import { describe, expect, test as base, vi } from 'vitest';
import { agreementMetadata, agreementToday } from '../../../functions/domain/agreement.ts';
import { priceLookupKey } from '../../../functions/adapters/stripe/price-of-plus.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { type BillingFixtures, billingFixtures } from '../../fixtures/worlds/billing-fixtures.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

const test = base.extend<BillingFixtures>(billingFixtures);

describe('what a checkout creates', () => {
  test('the subscription that a checkout creates has the user’s id', async ({ stripe, ada, buyPlus }) => {
    const { subscription, customer } = await buyPlus();
    expect(subscription.metadata).toEqual({
      ...markOf(STAGE, ada.id),
      ...agreementMetadata(agreementToday),
    });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      email: ada.email,
      metadata: markOf(STAGE, ada.id),
    });
  });

  test('the return address of a checkout is on the site', async ({ world, stripe, ada }) => {
    await world.openCheckout(ada);
    const session = String((await world.rowOf(ada))?.checkout_session_id);
    expect((await stripe.checkout.sessions.retrieve(session)).return_url).toBe(
      'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    );
  });
});

describe('whose customer pays', () => {
  test('another customer with the same address is not used', async ({ stripe, ada, buyPlus }) => {
    const foreign = await stripe.customers.create({
      email: ada.email,
      metadata: markOf(STAGE, 'somebody-else'),
    });
    const unowned = await stripe.customers.create({ email: ada.email });
    const { customer } = await buyPlus();
    expect([foreign.id, unowned.id]).not.toContain(customer);
  });

  test('a guest checkout does not change the row of an account with the same address', async ({
    world,
    stripe,
    ada,
  }) => {
    await world.buy(ada);
    const [price] = (await stripe.prices.list({ lookup_keys: [priceLookupKey(STAGE)] })).data;
    const guest = await stripe.checkout.sessions.create({
      mode: 'subscription',
      ui_mode: 'embedded_page',
      line_items: [{ price: String(price?.id), quantity: 1 }],
      return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    });
    const before = await world.rowOf(ada);

    // Our API opens no session without a user.
    expect((await world.openCheckout({ id: '', email: ada.email })).status).toBe(401);
    // A session that was opened in Stripe is paid with the address of a user on Plus.
    await world.stripe.submitCard(guest, { email: ada.email });
    await world.stripe.service.allDelivered();

    const after = await world.rowOf(ada);
    expect(after?.billing_customer_id).toBe(before?.billing_customer_id);
    expect(after?.stripe_subscription_id).toBe(before?.stripe_subscription_id);
    expect(await world.subscriptionsOf(ada)).toHaveLength(1);
    expect((await world.openCheckout(ada)).body).toMatchObject({ code: 'already-subscribed' });
    // The account does not see the guest's session.
    expect((await world.sessionStatus(ada, guest.id)).status).toBe(404);
  });

  test('deleting the customer in Stripe ends Plus, and the next checkout creates a new customer', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { customer } = await buyPlus();
    await stripe.customers.del(customer);
    await world.stripe.service.allDelivered();
    expect((await world.rowOf(ada))?.plan).toBe('free');

    await world.buy(ada);
    expect((await world.rowOf(ada))?.plan).toBe('plus');
    expect((await world.rowOf(ada))?.billing_customer_id).not.toBe(customer);
  });
});

describe('a payment that fails', () => {
  test('a declined card leaves the row on Free and the checkout open for the next card', async ({
    world,
    ada,
    buyPlus,
  }) => {
    await world.buy(ada, '4000 0000 0000 0002');
    expect(await world.subscriptionsOf(ada)).toEqual([]);
    expect((await world.rowOf(ada))?.plan).toBe('free');
    await buyPlus();
  });

  test('a first payment that is never made gives no Plus and does not prevent a later purchase', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription, customer } = await buyPlus();
    await stripe.subscriptions.cancel(subscription.id);
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    await stripe.subscriptions.create({ customer, items, default_payment_method: failing.id });
    await world.stripe.service.allDelivered();
    expect((await world.rowOf(ada))?.plan).toBe('free');

    await world.advance(24 * HOUR);
    expect((await world.subscriptionsOf(ada))[0]?.status).toBe('incomplete_expired');
    expect((await world.rowOf(ada))?.plan).toBe('free');
    await world.buy(ada);
    expect((await world.rowOf(ada))?.plan).toBe('plus');
  });

  test('a session status that Stripe fails to answer changes no plan and can be tried again', async ({
    world,
    stripe,
    ada,
  }) => {
    world.webhooks.deliver = async () => 500;
    const sessionId = await world.buy(ada);
    vi.spyOn(stripe.checkout.sessions, 'retrieve').mockRejectedValueOnce(new Error('Stripe is down.'));
    expect((await world.sessionStatus(ada, sessionId)).status).toBe(500);
    expect((await world.rowOf(ada))?.plan).toBe('free');

    expect((await world.sessionStatus(ada, sessionId)).body).toMatchObject({ status: 'complete' });
    expect((await world.rowOf(ada))?.plan).toBe('plus');
  });
});

describe('a further purchase', () => {
  test('a checkout is refused and the row corrected if the row is wrongly on Free', async ({
    world,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus();
    const row = await world.rowOf(ada);
    if (row) await world.plans.decide(row, { plan: 'free' }, new Date());

    expect((await world.openCheckout(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await world.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('an active subscription on the second page of Stripe’s list is found', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription, customer } = await buyPlus();
    world.webhooks.deliver = async () => 200;
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: String(subscription.items.data[0]?.price.id) }];
    // Stripe lists the newest first, so the active subscription is on the second page.
    for (let count = 0; count < 100; count += 1) {
      const past = await stripe.subscriptions.create({
        customer,
        items,
        default_payment_method: method.id,
      });
      await stripe.subscriptions.cancel(past.id);
    }
    expect((await world.openCheckout(ada)).body).toMatchObject({ code: 'already-subscribed' });
    expect((await world.rowOf(ada))?.stripe_subscription_id).toBe(subscription.id);
  });

  test('a user whose Plus has ended can buy it again as the same customer', async ({
    world,
    ada,
    buyPlus,
  }) => {
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
});
