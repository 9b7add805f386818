import type { Stripe } from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR, startStripe, subscribe, type StripeStandIn } from '../fixtures/stripe.ts';

let world: StripeStandIn;
afterEach(() => world.close());

const seconds = (moment: string): number => Date.parse(moment) / 1000;

const advanceTo = (moment: string): Promise<Date> =>
  world.clock.advance(Date.parse(moment) - world.clock.now().getTime());

const reload = ({ id }: Stripe.Subscription): Promise<Stripe.Subscription> =>
  world.stripe.subscriptions.retrieve(id);

const typesReceived = (prefix: string): string[] =>
  world.received.map(({ event }) => event.type).filter((type) => type.startsWith(prefix));

test('a subscription begun on 31 January renews on each last day, by its anchor', async () => {
  world = await startStripe({ start: '2030-01-31T10:30:00Z' });
  const { customer, subscription } = await subscribe(world);
  const anchor = subscription.billing_cycle_anchor * 1000;
  const since = anchor - Date.parse('2030-01-31T10:30:00Z');
  const endsSeen: (number | undefined)[] = [];

  for (let month = 0; month < 4; month += 1) {
    const end = (await reload(subscription)).items.data[0]?.current_period_end ?? 0;
    endsSeen.push(end);
    await world.clock.advance(end * 1000 + HOUR - world.clock.now().getTime());
  }

  expect(endsSeen).toEqual(
    ['2030-02-28T10:30:00Z', '2030-03-31T10:30:00Z', '2030-04-30T10:30:00Z', '2030-05-31T10:30:00Z'].map(
      (moment) => (Date.parse(moment) + since) / 1000,
    ),
  );
  const { data } = await world.stripe.invoices.list({ customer: customer.id, subscription: subscription.id });
  expect(
    data.map(({ billing_reason, status, amount_paid }) => [billing_reason, status, amount_paid]),
  ).toEqual([
    ...Array.from({ length: 4 }, () => ['subscription_cycle', 'paid', 500]),
    ['subscription_create', 'paid', 500],
  ]);
  expect(data[0]?.parent?.subscription_details?.subscription).toBe(subscription.id);
  expect(data.map(({ number }) => number?.slice(-4))).toEqual(['0005', '0004', '0003', '0002', '0001']);
  expect(await reload(subscription)).toMatchObject({ status: 'active', latest_invoice: data[0]?.id });
});

test('a renewal is announced a week before, by an invoice without id, unless the subscription ends before', async () => {
  world = await startStripe({ start: '2030-01-15T12:00:00Z' });
  const { subscription } = await subscribe(world);
  const announced = () => world.received.filter(({ event }) => event.type === 'invoice.upcoming');
  const end = (await reload(subscription)).items.data[0]?.current_period_end ?? 0;
  await world.clock.advance((end - 7 * 86_400 - 60) * 1000 - world.clock.now().getTime());
  await world.service.allDelivered();
  expect(announced()).toEqual([]);
  await world.clock.advance(2 * 60_000);
  await world.service.allDelivered();
  const [first] = announced();
  expect(first?.event.created).toBe(end - 7 * 86_400);
  expect(first?.event.data.object).toMatchObject({
    object: 'invoice',
    customer: subscription.customer,
    billing_reason: 'upcoming',
    status: 'draft',
    total: 500,
    lines: { data: [{ invoice: null, period: { start: end } }] },
    parent: { subscription_details: { subscription: subscription.id } },
  });
  expect(first?.event.data.object).not.toHaveProperty('id');

  await world.clock.advance(31 * DAY);
  await world.service.allDelivered();
  expect(announced()).toHaveLength(2);
  await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await world.clock.advance(62 * DAY);
  await world.service.allDelivered();
  expect(announced()).toHaveLength(2);
});

test('one long jump of the clock renews at every due time, with webhooks at their own times', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  await world.service.allDelivered();
  world.received.length = 0;

  await world.clock.advance(100 * DAY);

  const updates = world.received.filter(({ event }) => event.type === 'customer.subscription.updated');
  expect(updates.map(({ event }) => new Date(event.created * 1000).toISOString().slice(0, 10))).toEqual([
    '2030-02-15',
    '2030-03-15',
    '2030-04-15',
  ]);
  expect(updates[0]?.event.data.previous_attributes).toMatchObject({
    items: { data: [{ current_period_end: seconds('2030-02-15T12:00:00Z') }] },
  });
  expect(typesReceived('invoice.paid')).toHaveLength(3);
  expect((await reload(subscription)).status).toBe('active');
});

test('a card that fails at renewal makes the subscription past due, and ends it after the last retry', async () => {
  world = await startStripe();
  const { customer, subscription } = await subscribe(world, { number: '4000 0000 0000 0341' });
  expect(subscription.status).toBe('active');

  await advanceTo('2030-02-15T14:00:00Z');
  expect((await reload(subscription)).status).toBe('past_due');
  const invoiceNow = async () => (await world.stripe.invoices.list({ customer: customer.id })).data[0];
  expect(await invoiceNow()).toMatchObject({ status: 'open', attempt_count: 1, attempted: true });
  expect((await invoiceNow())?.next_payment_attempt).toBe(seconds('2030-02-18T13:00:00Z'));
  await advanceTo('2030-02-18T14:00:00Z');
  expect(await invoiceNow()).toMatchObject({
    attempt_count: 2,
    next_payment_attempt: seconds('2030-02-23T13:00:00Z'),
  });
  await advanceTo('2030-02-23T14:00:00Z');
  expect(await invoiceNow()).toMatchObject({
    attempt_count: 3,
    next_payment_attempt: seconds('2030-03-02T13:00:00Z'),
  });
  expect((await reload(subscription)).status).toBe('past_due');
  expect((await world.stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);

  await advanceTo('2030-03-02T14:00:00Z');
  expect(await reload(subscription)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  });
  expect(await invoiceNow()).toMatchObject({ status: 'open', attempt_count: 4, next_payment_attempt: null });
  expect((await world.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  expect(typesReceived('invoice.payment_failed')).toHaveLength(4);
  expect(typesReceived('customer.subscription.deleted')).toHaveLength(1);

  await world.clock.advance(90 * DAY);
  expect((await world.stripe.invoices.list({ customer: customer.id })).data).toHaveLength(2);
});

test('a past due subscription is active again once its invoice is paid with another card', async () => {
  world = await startStripe();
  const { customer, subscription } = await subscribe(world, { number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  const [invoice] = (await world.stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
  await expect(world.stripe.invoices.pay(invoice?.id ?? '')).rejects.toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    message: 'Your card was declined.',
  });
  expect(await world.stripe.invoices.retrieve(invoice?.id ?? '')).toMatchObject({ attempt_count: 1 });

  const method = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
  const paid = await world.stripe.invoices.pay(invoice?.id ?? '');

  expect(paid).toMatchObject({ status: 'paid', amount_remaining: 0, next_payment_attempt: null });
  expect((await reload(subscription)).status).toBe('active');
  await expect(world.stripe.invoices.pay(invoice?.id ?? '')).rejects.toMatchObject({ statusCode: 400 });
  await world.clock.advance(60 * DAY);
  expect((await reload(subscription)).status).toBe('active');
});

test('a subscription canceled at period end stays active until then', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  const end = subscription.items.data[0]?.current_period_end ?? 0;

  const cancelled = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(cancelled).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end });
  expect(cancelled.canceled_at).toBe(world.now());

  await world.clock.advance(end * 1000 - world.clock.now().getTime() - 2000);
  expect((await reload(subscription)).status).toBe('active');
  await world.clock.advance(2000);

  expect(await reload(subscription)).toMatchObject({
    status: 'canceled',
    ended_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  });
  expect(typesReceived('customer.subscription.')).toEqual([
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
  ]);
  expect(typesReceived('invoice.created')).toHaveLength(1);
});

test('a subscription renews if its cancellation is lifted in time', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  const { subscriptions } = world.stripe;

  await subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(await subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  });
  await world.clock.advance(40 * DAY);

  expect((await reload(subscription)).status).toBe('active');
});

test('cancel_at ends a subscription without the flag, and can be removed', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  const { subscriptions } = world.stripe;
  const cancel_at = world.now() + 10 * 86_400;

  const dated = await subscriptions.update(subscription.id, { cancel_at });
  expect(dated).toMatchObject({ cancel_at, cancel_at_period_end: false, status: 'active' });
  // Clearing a flag that isn't set changes nothing.
  expect(await subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at,
  });
  expect(await subscriptions.update(subscription.id, { cancel_at: '' })).toMatchObject({ cancel_at: null });
  await expect(
    subscriptions.update(subscription.id, { cancel_at, cancel_at_period_end: true }),
  ).rejects.toMatchObject({ statusCode: 400 });
  await expect(subscriptions.update(subscription.id, { cancel_at: 5 })).rejects.toMatchObject({
    param: 'cancel_at',
  });

  await subscriptions.update(subscription.id, { cancel_at });
  await world.clock.advance(10 * DAY);
  expect(await reload(subscription)).toMatchObject({ status: 'canceled', cancel_at_period_end: false });
});

test('a canceled subscription can be read, and only its metadata changed', async () => {
  world = await startStripe();
  const { customer, subscription } = await subscribe(world);
  const { subscriptions } = world.stripe;

  expect(
    await subscriptions.cancel(subscription.id, { cancellation_details: { comment: 'Moved on' } }),
  ).toMatchObject({
    status: 'canceled',
    cancellation_details: { comment: 'Moved on', reason: 'cancellation_requested' },
  });

  await expect(subscriptions.update(subscription.id, { cancel_at_period_end: false })).rejects.toMatchObject({
    message: 'A canceled subscription can only update its cancellation_details and metadata.',
  });
  expect(await subscriptions.update(subscription.id, { metadata: { seen: 'yes' } })).toMatchObject({
    metadata: { seen: 'yes', selfsame: 'test/user-1' },
  });
  await expect(subscriptions.cancel(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' });
  expect((await subscriptions.list({ customer: customer.id })).data).toEqual([]);
  expect((await subscriptions.list({ customer: customer.id, status: 'canceled' })).data).toHaveLength(1);
  expect((await subscriptions.list({ customer: customer.id, status: 'active' })).data).toEqual([]);
});

test('a renewal without a card fails like a declined renewal', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  await world.stripe.paymentMethods.detach(subscription.default_payment_method as string);
  expect((await reload(subscription)).default_payment_method).toBeNull();

  await world.clock.advance(32 * DAY);

  expect((await reload(subscription)).status).toBe('past_due');
});
