import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { besideTables, type Person, type ShopWorld, shopWorld } from '../../fixtures/shop-world.ts';
import { DAY, HOUR } from '../../fixtures/stripe-world.ts';

// Each is named after a defect that others had in public, and after who had it where that is known.

besideTables();

let shop: ShopWorld;
let ada: Person;
let eve: Person;

beforeEach(async () => {
  shop = await shopWorld();
  [ada, eve] = [await shop.signUp(), await shop.signUp()];
});

afterEach(() => shop.close());

const eventsAbout = (customer: string | undefined, type: string) =>
  shop.stripe.service
    .listEvents()
    .filter((event) => event.type === type && (event.data as { customer?: string }).customer === customer);

// Its handler of `invoice.paid` sets the customer's user to active, whatever has become of the subscription.
test('a late invoice.paid does not revive a deleted subscription (wasp open-saas)', async () => {
  await shop.buy(ada);
  const customer = (await shop.rowOf(ada))?.billing_customer_id;
  const [paid] = eventsAbout(customer, 'invoice.paid');
  const [subscription] = await shop.subscriptionsOf(ada);
  await shop.stripe.stripe.subscriptions.cancel(String(subscription?.id));
  await shop.stripe.service.allDelivered();
  expect(await shop.rowOf(ada)).toMatchObject({ plan: 'free' });

  const before = shop.stripe.received.length;
  expect(await shop.stripe.service.resend(String(paid?.id))).toBe(true);

  expect(shop.stripe.received.slice(before).map(({ event }) => event.type)).toEqual(['invoice.paid']);
  expect((await shop.rowOf(ada))?.plan).toBe('free');
  expect((await shop.plan(ada)).body).toMatchObject({ plan: 'free' });
});

// Its return route makes a session cookie for the user whom the Checkout Session names, for whoever knows the
// session's id.
test('the return route signs nobody in and tells nobody about another’s session (nextjs/saas-starter)', async () => {
  const sessionId = await shop.buy(ada);

  const told = await shop.status(eve, sessionId);

  expect(told).toEqual(await shop.status(eve, 'cs_test_nobody'));
  expect(told).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(JSON.stringify(told)).not.toContain(ada.email);
  expect(await shop.rowOf(eve)).toMatchObject({ plan: 'free' });
  // Its payer is told how it went, and gets nothing to sign in with.
  const own = await shop.status(ada, sessionId);
  expect(own.body).toMatchObject({ status: 'complete', customer_email: ada.email });
  expect(JSON.stringify(own)).not.toMatch(/token|cookie|secret/i);
});

// Its guard against a second subscription stands before the checkout of whoever is signed in; the guests'
// checkout makes a customer of its own, and the webhook joins that to the account with the same address.
test('a guest checkout cannot go round the duplicate guard (Cap)', async () => {
  await shop.buy(ada);
  const { stripe } = shop.stripe;
  const [price] = (await stripe.prices.list({ lookup_keys: ['plus_monthly'] })).data;
  const guest = await stripe.checkout.sessions.create({
    mode: 'subscription',
    ui_mode: 'embedded_page',
    line_items: [{ price: String(price?.id), quantity: 1 }],
    return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
  });
  const before = await shop.rowOf(ada);

  // Nothing of ours opens such a session: without a person there is nobody to open one for.
  expect((await shop.order({ id: '', email: ada.email })).status).toBe(401);
  // One that somebody opened in Stripe all the same, and paid with the address of somebody who has Plus.
  await shop.stripe.submitCard(guest, { email: ada.email });
  await shop.stripe.service.allDelivered();

  const after = await shop.rowOf(ada);
  expect(after?.billing_customer_id).toBe(before?.billing_customer_id);
  expect(after?.stripe_subscription_id).toBe(before?.stripe_subscription_id);
  expect(await shop.subscriptionsOf(ada)).toHaveLength(1);
  expect((await shop.order(ada)).body).toMatchObject({ code: 'already-subscribed' });
  // And whoever paid as a guest sees nothing through the account.
  expect((await shop.status(ada, guest.id)).status).toBe(404);
});

// Its webhook answers 202 where the user isn't there yet, "to allow retry". To Stripe that is delivered.
test('an answer of 202 is not what tells Stripe to send again: what fails answers 5xx and comes again (Cap)', async () => {
  const answers: number[] = [];
  shop.post.carry = async (received) => {
    const answer = await shop.hear(received);
    if (received.event.type === 'customer.subscription.created') answers.push(answer);
    return answer;
  };
  const { body } = await shop.order(ada);
  const reading = vi.spyOn(shop.plans, 'read').mockRejectedValue(new Error('The table is out of reach.'));
  await shop.stripe.submitCard({ client_secret: String(body['clientSecret']) });
  await shop.stripe.service.allDelivered();
  reading.mockRestore();
  expect(answers).toEqual([500]);
  expect((await shop.rowOf(ada))?.plan).toBe('free');

  await shop.advance(HOUR);

  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers.slice(1))).toEqual(new Set([200]));
  expect((await shop.rowOf(ada))?.plan).toBe('plus');
});

// Whoever keeps a period's end and compares it with the clock takes the plan away a day after a renewal whose
// webhook was lost (shadcn-ui/taxonomy, mickasmt/next-saas-stripe-starter).
test('a missed renewal does not downgrade a payer', async () => {
  await shop.buy(ada);
  shop.post.carry = async () => 500;

  await shop.advance(40 * DAY);

  const [subscription] = await shop.subscriptionsOf(ada);
  expect(subscription?.status).toBe('active');
  expect(subscription?.items.data[0]?.current_period_start).toBe(Date.parse('2030-02-15T12:00:00Z') / 1000);
  expect((await shop.plan(ada)).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
  await shop.sweep();
  await shop.catchUp();
  expect((await shop.rowOf(ada))?.plan).toBe('plus');
});

test('a missed renewal does not downgrade a payer whose row had an end', async () => {
  await shop.buy(ada);
  const [subscription] = await shop.subscriptionsOf(ada);
  await shop.cancel(ada, String(subscription?.id));
  await shop.stripe.service.allDelivered();
  shop.post.carry = async () => 500;
  // Somebody at Stripe lifts the cancellation, and not a word of it arrives.
  await shop.stripe.stripe.subscriptions.update(String(subscription?.id), { cancel_at_period_end: false });

  await shop.advance(40 * DAY);
  expect((await shop.rowOf(ada))?.plan_expires_at).toBe('2030-02-15T12:00:00.000Z');
  await shop.sweep();

  expect(await shop.rowOf(ada)).toMatchObject({ plan: 'plus', stripe_subscription_id: subscription?.id });
  expect((await shop.rowOf(ada))?.plan_expires_at).toBeUndefined();
});

// A deletion that marks the user and asks Stripe nothing leaves a subscription that goes on
// (nextjs/saas-starter).
test('a deleted account is not billed again', async () => {
  await shop.buy(ada);
  const customer = String((await shop.rowOf(ada))?.billing_customer_id);
  const charged = async () => (await shop.stripe.stripe.charges.list({ customer, limit: 100 })).data.length;
  const [subscription] = await shop.subscriptionsOf(ada);
  expect(await charged()).toBe(1);

  expect((await shop.deleteAccount(ada)).body).toMatchObject({ subscriptionEnded: true });
  await shop.advance(100 * DAY);

  expect(await charged()).toBe(1);
  expect((await shop.stripe.stripe.subscriptions.retrieve(String(subscription?.id))).status).toBe('canceled');
  expect(await shop.rowOf(ada)).toBeUndefined();
  expect((await shop.order(ada)).status).toBe(401);
});
