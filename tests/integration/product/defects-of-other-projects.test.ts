import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  setUpTables,
  type User,
  type BillingWorld,
  startBillingWorld,
} from '../../fixtures/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/stripe-stand-in.ts';

// Each test is for a published defect of another project, which the title or the comment names.

setUpTables();

let world: BillingWorld;
let ada: User;
let eve: User;

beforeEach(async () => {
  world = await startBillingWorld();
  [ada, eve] = [await world.signUp(), await world.signUp()];
});

afterEach(() => world.close());

const eventsAbout = (customer: string | undefined, type: string) =>
  world.stripe.service
    .listEvents()
    .filter((event) => event.type === type && (event.data as { customer?: string }).customer === customer);

// Its handler of `invoice.paid` activates the user without reading the subscription.
test('a late invoice.paid does not revive a deleted subscription (wasp open-saas)', async () => {
  await world.buy(ada);
  const customer = (await world.rowOf(ada))?.billing_customer_id;
  const [paid] = eventsAbout(customer, 'invoice.paid');
  const [subscription] = await world.subscriptionsOf(ada);
  await world.stripe.stripe.subscriptions.cancel(String(subscription?.id));
  await world.stripe.service.allDelivered();
  expect(await world.rowOf(ada)).toMatchObject({ plan: 'free' });

  const before = world.stripe.received.length;
  expect(await world.stripe.service.resend(String(paid?.id))).toBe(true);

  expect(world.stripe.received.slice(before).map(({ event }) => event.type)).toEqual(['invoice.paid']);
  expect((await world.rowOf(ada))?.plan).toBe('free');
  expect((await world.plan(ada)).body).toMatchObject({ plan: 'free' });
});

// Its return route creates a session cookie for the user of any Checkout Session whose id the caller knows.
test('the session status reveals nothing about another user’s session (nextjs/saas-starter)', async () => {
  const sessionId = await world.buy(ada);

  const answer = await world.sessionStatus(eve, sessionId);

  expect(answer).toEqual(await world.sessionStatus(eve, 'cs_test_nobody'));
  expect(answer).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(JSON.stringify(answer)).not.toContain(ada.email);
  expect(await world.rowOf(eve)).toMatchObject({ plan: 'free' });
  // The payer gets the status, and nothing that signs in.
  const own = await world.sessionStatus(ada, sessionId);
  expect(own.body).toMatchObject({ status: 'complete', customer_email: ada.email });
  expect(JSON.stringify(own)).not.toMatch(/token|cookie|secret/i);
});

// Only its checkout for signed-in users refuses a second subscription. A guest checkout creates a new
// customer, which the webhook attaches to the account with the same address.
test('a guest checkout does not change the row of an account with the same address (Cap)', async () => {
  await world.buy(ada);
  const { stripe } = world.stripe;
  const [price] = (await stripe.prices.list({ lookup_keys: ['plus_monthly'] })).data;
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

// Its webhook answers 202 "to allow retry" if the user is missing. Stripe counts that as delivered.
test('a webhook that fails answers 5xx, and Stripe sends it again (Cap)', async () => {
  const answers: number[] = [];
  world.webhooks.deliver = async (received) => {
    const answer = await world.receiveWebhook(received);
    if (received.event.type === 'customer.subscription.created') answers.push(answer);
    return answer;
  };
  const { body } = await world.openCheckout(ada);
  const read = vi.spyOn(world.plans, 'read').mockRejectedValue(new Error('The table is out of reach.'));
  await world.stripe.submitCard({ client_secret: String(body['clientSecret']) });
  await world.stripe.service.allDelivered();
  read.mockRestore();
  expect(answers).toEqual([500]);
  expect((await world.rowOf(ada))?.plan).toBe('free');

  await world.advance(HOUR);

  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers.slice(1))).toEqual(new Set([200]));
  expect((await world.rowOf(ada))?.plan).toBe('plus');
});

// They compare the stored end of the period with the clock, so a lost renewal webhook ends the plan a day
// later (shadcn-ui/taxonomy, mickasmt/next-saas-stripe-starter).
test('a lost renewal webhook does not end Plus', async () => {
  await world.buy(ada);
  world.webhooks.deliver = async () => 500;

  await world.advance(40 * DAY);

  const [subscription] = await world.subscriptionsOf(ada);
  expect(subscription?.status).toBe('active');
  expect(subscription?.items.data[0]?.current_period_start).toBe(Date.parse('2030-02-15T12:00:00Z') / 1000);
  expect((await world.plan(ada)).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
  await world.sweep();
  await world.catchUp();
  expect((await world.rowOf(ada))?.plan).toBe('plus');
});

test('a lost renewal webhook does not end Plus on a row with an expiry', async () => {
  await world.buy(ada);
  const [subscription] = await world.subscriptionsOf(ada);
  await world.cancel(ada, String(subscription?.id));
  await world.stripe.service.allDelivered();
  world.webhooks.deliver = async () => 500;
  // Support undoes the cancellation in Stripe, and the webhook is lost.
  await world.stripe.stripe.subscriptions.update(String(subscription?.id), { cancel_at_period_end: false });

  await world.advance(40 * DAY);
  expect((await world.rowOf(ada))?.plan_expires_at).toBe('2030-02-15T12:00:00.000Z');
  await world.sweep();

  expect(await world.rowOf(ada)).toMatchObject({ plan: 'plus', stripe_subscription_id: subscription?.id });
  expect((await world.rowOf(ada))?.plan_expires_at).toBeUndefined();
});

// Its deletion only marks the user, so the subscription continues (nextjs/saas-starter).
test('a deleted account is not charged again', async () => {
  await world.buy(ada);
  const customer = String((await world.rowOf(ada))?.billing_customer_id);
  const charged = async () => (await world.stripe.stripe.charges.list({ customer, limit: 100 })).data.length;
  const [subscription] = await world.subscriptionsOf(ada);
  expect(await charged()).toBe(1);

  expect((await world.deleteAccount(ada)).body).toMatchObject({ subscriptionEnded: true });
  await world.advance(100 * DAY);

  expect(await charged()).toBe(1);
  expect((await world.stripe.stripe.subscriptions.retrieve(String(subscription?.id))).status).toBe(
    'canceled',
  );
  expect(await world.rowOf(ada)).toBeUndefined();
  expect((await world.openCheckout(ada)).status).toBe(401);
});
