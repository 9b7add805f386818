import type { Stripe } from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import { DAY, enterCard, startStripe, type StripeStandIn } from '../fixtures/stripe.ts';

let world: StripeStandIn;
beforeEach(async () => {
  world = await startStripe();
  return () => world.close();
});

const reload = ({ id }: Stripe.Subscription): Promise<Stripe.Subscription> =>
  world.stripe.subscriptions.retrieve(id);

const typesReceived = (prefix: string): string[] =>
  world.received.map(({ event }) => event.type).filter((type) => type.startsWith(prefix));

test('a customer replaces the card for renewals on the billing page', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const portal = await world.stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://localhost:3000/pricing',
  });
  expect(await (await fetch(portal.url)).text()).toContain('ending in 0341');

  const answer = await enterCard(`${portal.url}/card`);

  expect(await answer.json()).toEqual({ kind: 'done', returnUrl: 'http://localhost:3000/pricing' });
  await world.clock.advance(40 * DAY);
  expect((await reload(subscription)).status).toBe('active');
});

test('an invoice has a page at a secret address', async () => {
  const { customer } = await world.subscribe();
  const [invoice] = (await world.stripe.invoices.list({ customer: customer.id })).data;

  const page = await fetch(invoice?.hosted_invoice_url ?? '');

  expect(await page.text()).toContain('$5.00');
  expect((await fetch(`${world.origin}/invoice/${invoice?.id}_guess`)).status).toBe(404);
});

test('a disputed card pays, and a dispute is opened at once', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0259' });
  const [charge] = (await world.stripe.charges.list({ customer: customer.id })).data;
  const { data: events } = await world.stripe.events.list({ type: 'charge.dispute.*' });

  expect(charge).toMatchObject({ paid: true, disputed: true, amount_refunded: 0 });
  expect(events.map(({ data }) => data.object)).toMatchObject([
    { amount: 500, charge: charge?.id, reason: 'fraudulent', status: 'needs_response' },
  ]);
  // The subscription doesn't change.
  expect((await reload(subscription)).status).toBe('active');
  await world.service.allDelivered();
  expect(typesReceived('charge.dispute.')).toEqual(['charge.dispute.created']);
});

test('an unpaid charge cannot be refunded', async () => {
  const { customer } = await world.subscribe({ number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  const [failed] = (await world.stripe.charges.list({ customer: customer.id })).data;
  const { refunds } = world.stripe;
  const refusals = [
    [{}, /Missing required param/],
    [{ charge: failed?.id ?? '' }, /has not been paid/],
    [{ payment_intent: failed?.payment_intent as string }, /does not have a successful charge/],
    [{ charge: 'ch_1', payment_intent: 'pi_1' }, /only specify one/],
    [{ charge: 'ch_nobody' }, /No such charge/],
    [{ payment_intent: 'pi_nobody' }, /No such payment_intent/],
  ] as const;
  for (const [params, sentence] of refusals) {
    await expect(refunds.create(params)).rejects.toMatchObject({
      message: expect.stringMatching(sentence) as unknown,
      statusCode: 400,
    });
  }
});

test('the card update page changes only the customer’s card, and open invoices wait for their next attempt', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const configuration = await world.stripe.billingPortal.configurations.create({
    features: { payment_method_update: { enabled: true } },
  });
  const portal = await world.stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration: configuration.id,
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost:3000/dashboard' } },
    },
  });

  const answer = await enterCard(`${portal.url}/card`);

  expect(await answer.json()).toEqual({ kind: 'done', returnUrl: 'http://localhost:3000/dashboard' });
  expect((await reload(subscription)).default_payment_method).toBe(subscription.default_payment_method);
  // The subscription's own card is used before the customer's.
  await world.clock.advance(32 * DAY);
  expect((await reload(subscription)).status).toBe('past_due');
});

test('a portal is refused without a feature, without its flow’s feature, and for an unknown configuration', async () => {
  const customer = await world.stripe.customers.create({ email: 'ada@example.com' });
  const { configurations, sessions } = world.stripe.billingPortal;
  await expect(configurations.create({ features: {} })).rejects.toMatchObject({ param: 'features' });
  const { id } = await configurations.create({ features: { invoice_history: { enabled: true } } });
  const flow_data = { type: 'payment_method_update' } as const;
  for (const type of ['payment_method_update', 'customer_update'] as const) {
    await expect(
      sessions.create({ customer: customer.id, configuration: id, flow_data: { type } }),
    ).rejects.toMatchObject({ param: 'flow_data[type]' });
  }
  await expect(sessions.create({ customer: customer.id, configuration: 'bpc_nobody' })).rejects.toMatchObject(
    { code: 'resource_missing' },
  );
  await expect(
    sessions.create({
      customer: customer.id,
      flow_data: { ...flow_data, after_completion: { type: 'redirect' } },
    }),
  ).rejects.toMatchObject({ code: 'parameter_missing' });
  expect((await configurations.list({ is_default: true })).data).toEqual([]);
});

test('a voided invoice cannot be paid on its page', async () => {
  const { customer } = await world.subscribe({ number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  const [open] = (await world.stripe.invoices.list({ customer: customer.id })).data;
  await world.stripe.invoices.voidInvoice(open?.id ?? '');
  const pay = (address: string) => enterCard(`${address}/pay`);

  expect((await pay(open?.hosted_invoice_url ?? '')).status).toBe(400);
  expect((await pay(`${world.origin}/invoice/${open?.id}_guess`)).status).toBe(404);
  expect(
    (await world.stripe.charges.list({ customer: customer.id })).data.filter(({ paid }) => paid),
  ).toHaveLength(1);
});

/** A second subscription of the customer, whose first payment fails. */
async function incomplete(): Promise<{ subscription: Stripe.Subscription; invoice: string }> {
  const { customer, subscription: first } = await world.subscribe();
  const failing = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer.id,
  });
  const subscription = await world.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: String(first.items.data[0]?.price.id) }],
    default_payment_method: failing.id,
  });
  return { subscription, invoice: subscription.latest_invoice as string };
}

test('canceling an incomplete subscription expires it and voids its invoice', async () => {
  const { subscription, invoice } = await incomplete();
  expect(subscription.status).toBe('incomplete');

  expect(await world.stripe.subscriptions.cancel(subscription.id)).toMatchObject({
    status: 'incomplete_expired',
    ended_at: expect.any(Number) as number,
  });

  expect(
    await world.stripe.invoices.retrieve(invoice, { expand: ['payments.data.payment.payment_intent'] }),
  ).toMatchObject({
    status: 'void',
    payments: {
      data: [
        {
          status: 'canceled',
          payment: { payment_intent: { status: 'canceled', cancellation_reason: 'void_invoice' } },
        },
      ],
    },
  });
  await expect(world.stripe.invoices.pay(invoice)).rejects.toMatchObject({
    statusCode: 400,
    message: 'Voided invoices cannot be paid.',
  });
});

test('an incomplete subscription takes metadata and a card, and an expired one takes nothing', async () => {
  const { subscription } = await incomplete();
  expect(
    await world.stripe.subscriptions.update(subscription.id, { metadata: { seen: 'yes' } }),
  ).toMatchObject({
    metadata: { seen: 'yes' },
  });
  await expect(
    world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
  ).rejects.toMatchObject({ statusCode: 400 });

  await world.clock.advance(DAY);

  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired');
  await expect(
    world.stripe.subscriptions.update(subscription.id, { metadata: { seen: '' } }),
  ).rejects.toMatchObject({ statusCode: 400 });
});
