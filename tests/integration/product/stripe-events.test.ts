import { describe, expect, test as base } from 'vitest';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { type BillingFixtures, billingFixtures } from '../../fixtures/worlds/billing-fixtures.ts';
import { signed } from '../../fixtures/worlds/billing-world.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';

const test = base.extend<BillingFixtures>(billingFixtures);

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';

describe('what an event says', () => {
  test('older events that arrive after newer events, in any order, change nothing', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus();
    await world.cancel(ada, subscription.id);
    await stripe.subscriptions.cancel(subscription.id);
    await world.stripe.service.allDelivered();
    const events = world.stripe.received.map(({ event: delivered }) => delivered);

    for (const repeated of [...events, ...events.toReversed()]) {
      expect(await world.receiveWebhook(signed(repeated))).toBe(200);
      expect((await world.rowOf(ada))?.plan).toBe('free');
    }
  });

  test('the plan follows the subscription at Stripe, not its state in the event', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription, customer } = await buyPlus();
    const ended = { ...subscription, status: 'canceled', ended_at: subscription.created };
    await world.receiveWebhook(signed(event('customer.subscription.deleted', ended)));
    expect((await world.rowOf(ada))?.plan).toBe('plus');

    await stripe.subscriptions.cancel(subscription.id);
    await world.receiveWebhook(signed(event('customer.subscription.updated', { ...subscription, customer })));
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a checkout of an unknown customer that names a user gives that user nothing', async ({
    world,
    ada,
  }) => {
    const paid = {
      object: 'checkout.session',
      id: 'cs_live_link',
      customer: 'cus_foreign',
      client_reference_id: ada.id,
      metadata: markOf(STAGE, ada.id),
      status: 'complete',
      payment_status: 'paid',
      subscription: 'sub_foreign',
    };
    expect(await world.receiveWebhook(signed(event('checkout.session.completed', paid)))).toBe(200);
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'free' });
    expect(await world.rowOf(ada)).not.toHaveProperty('billing_customer_id');
  });
});

describe('a subscription that changes at Stripe', () => {
  test('a subscription that support creates in Stripe gives Plus', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription, customer } = await buyPlus();
    await stripe.subscriptions.cancel(subscription.id);
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const made = await stripe.subscriptions.create({
      customer,
      items: [{ price: String(subscription.items.data[0]?.price.id) }],
      default_payment_method: method.id,
    });
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'plus', stripe_subscription_id: made.id });
  });

  test('a subscription that is ended at once ends Plus at once', async ({ world, stripe, ada, buyPlus }) => {
    const { subscription } = await buyPlus();
    await stripe.subscriptions.cancel(subscription.id);
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'free' });
  });

  test('a card that fails at renewal keeps Plus until Stripe gives up', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus(FAILS_AT_RENEWALS);
    await world.advance(40 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect((await world.rowOf(ada))?.plan).toBe('plus');

    await world.advance(10 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });

  test('a cancellation date half a year ahead is the plan’s expiry', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus();
    const cancel_at = Date.parse('2030-07-15T12:00:00Z') / 1000;
    await stripe.subscriptions.update(subscription.id, { cancel_at });
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

  test('renewing undoes a cancellation date that was set in the portal', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus();
    const cancel_at = subscription.items.data[0]?.current_period_end ?? 0;
    await stripe.subscriptions.update(subscription.id, { cancel_at });
    await world.stripe.service.allDelivered();
    expect(await world.rowOf(ada)).toMatchObject({
      plan: 'plus',
      plan_expires_at: new Date(cancel_at * 1000).toISOString(),
    });

    expect((await world.renew(ada)).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
    expect((await stripe.subscriptions.retrieve(subscription.id)).cancel_at).toBeNull();
  });

  test('cancelling a subscription whose end we missed is refused and sets the row to Free', async ({
    world,
    stripe,
    ada,
    buyPlus,
  }) => {
    const { subscription } = await buyPlus();
    world.webhooks.deliver = async () => 500;
    await stripe.subscriptions.cancel(subscription.id);
    expect(await world.cancel(ada, subscription.id)).toMatchObject({
      status: 404,
      body: { code: 'no-active-subscription' },
    });
    expect((await world.rowOf(ada))?.plan).toBe('free');
  });
});

describe('a signature', () => {
  test('a signature is valid for exactly five minutes', async ({ world }) => {
    const invoicePaid = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    const now = Math.floor(Date.now() / 1000);
    expect(await world.receiveWebhook(signed(invoicePaid, { at: now - 300 }))).toBe(200);
    expect(await world.receiveWebhook(signed(invoicePaid, { at: now - 301 }))).toBe(400);
  });

  test.for<[string, Parameters<typeof signed>[1]]>([
    ['with an invalid time', { at: 'yesterday' }],
    ['with another secret', { secret: 'whsec_other' }],
    ['with an empty secret', { secret: '' }],
  ])('an event that is signed %s is refused', async ([, how], { world }) => {
    const invoicePaid = event('invoice.paid', { object: 'invoice', customer: 'cus_foreign' });
    expect(await world.receiveWebhook(signed(invoicePaid, how))).toBe(400);
  });

  test('a signed body that is no event is not sent again', async ({ world }) => {
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
