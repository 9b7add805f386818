import { expect, test as base, vi } from 'vitest';
import { mainOffer } from '../../../schemas/product/offers.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

const test = base.extend<MemoryFixtures>(billingInMemory());

test('another customer with the same address is not used', async ({ ada, stripe }) => {
  const metadata = markOf(STAGE, 'somebody-else');
  const foreign = await stripe.customers.create({ email: ada.email, metadata });
  const unowned = await stripe.customers.create({ email: ada.email });
  const { customer } = await ada.buyPlus();
  expect([foreign.id, unowned.id]).not.toContain(customer);
});

test('a checkout of another customer does not change the row of an account with the same address', async ({
  ada,
}) => {
  const { world, stripe } = ada;
  await ada.buyPlus();
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKeyOf(STAGE, mainOffer)] })).data;
  const stranger = await stripe.customers.create({ email: ada.email });
  const other = await stripe.checkout.sessions.create({
    customer: stranger.id,
    mode: 'subscription',
    ui_mode: 'embedded_page',
    line_items: [{ price: String(price?.id), quantity: 1 }],
    return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
  });
  const before = await ada.row();

  // Our API opens no session without a user.
  expect((await world.person('', ada.email).openCheckout()).status).toBe(401);
  // A session that was opened in Stripe is paid with the address of a user on Plus.
  await world.stripe.submitCard(other);
  await world.stripe.service.allDelivered();

  expect(await ada.row()).toMatchObject({
    billing_customer_id: before?.billing_customer_id,
    stripe_subscription_id: before?.stripe_subscription_id,
  });
  expect(await ada.subscriptions()).toHaveLength(1);
  // The account does not see that session.
  expect((await ada.sessionStatus(other.id)).status).toBe(404);
});

test('deleting the customer in Stripe ends Plus, and the next checkout creates a new customer', async ({
  ada,
}) => {
  const { world, stripe } = ada;
  const { customer } = await ada.buyPlus();
  await stripe.customers.del(customer);
  await world.stripe.service.allDelivered();
  expect(await ada.planName()).toBe('free');
  expect((await ada.buyPlus()).customer).not.toBe(customer);
});

test('a declined card leaves the row on Free and the checkout open for the next card', async ({ ada }) => {
  await ada.buy('4000 0000 0000 0002');
  expect(await ada.subscriptions()).toEqual([]);
  expect(await ada.planName()).toBe('free');
  await ada.buyPlus();
});

test('a first payment that is never made gives no Plus and does not prevent a later purchase', async ({
  ada,
}) => {
  const { world, stripe } = ada;
  const { subscription, customer } = await ada.buyPlus();
  await stripe.subscriptions.cancel(subscription.id);
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const items = [{ price: String(subscription.items.data[0]?.price.id) }];
  await stripe.subscriptions.create({ customer, items, default_payment_method: failing.id });
  await world.stripe.service.allDelivered();
  expect(await ada.planName()).toBe('free');

  await world.advance(24 * HOUR);
  expect((await ada.subscription()).status).toBe('incomplete_expired');
  expect(await ada.planName()).toBe('free');
  await ada.buyPlus();
});

test('a session status that Stripe fails to answer changes no plan and can be tried again', async ({
  ada,
}) => {
  const { world, stripe } = ada;
  world.webhooks.deliver = async () => 500;
  const sessionId = await ada.buy();
  vi.spyOn(stripe.checkout.sessions, 'retrieve').mockRejectedValueOnce(new Error('Stripe is down.'));
  expect((await ada.sessionStatus(sessionId)).status).toBe(500);
  expect(await ada.planName()).toBe('free');

  expect((await ada.sessionStatus(sessionId)).body).toMatchObject({ status: 'complete' });
  expect(await ada.planName()).toBe('plus');
});
