import type { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, startStripe, subscribe, type StripeStandIn } from '../fixtures/stripe.ts';

let world: StripeStandIn;
let stripe: Stripe;

beforeEach(async () => {
  world = await startStripe();
  ({ stripe } = world);
});
afterEach(() => world.close());

const priceOf = (subscription: Stripe.Subscription): string => String(subscription.items.data[0]?.price.id);

/** A second subscription of the customer, whose first payment fails. */
async function incomplete(): Promise<{ subscription: Stripe.Subscription; invoice: string }> {
  const { customer, subscription: first } = await subscribe(world);
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: priceOf(first) }],
    default_payment_method: failing.id,
  });
  return { subscription, invoice: subscription.latest_invoice as string };
}

test('a cancellation stops the collection of all of the customer’s open invoices, and of nobody else’s', async () => {
  const { customer, subscription } = await subscribe(world, { number: '4000 0000 0000 0341' });
  const other = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: priceOf(subscription) }],
    default_payment_method: subscription.default_payment_method as string,
    payment_behavior: 'allow_incomplete',
  });
  const { subscription: stranger } = await subscribe(world, { number: '4000 0000 0000 0341' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.invoices.pay(other.latest_invoice as string, { payment_method: method.id });
  await world.clock.advance(32 * DAY);
  const openInvoices = async (id: string) =>
    (await stripe.invoices.list({ subscription: id, status: 'open' })).data;
  expect(await openInvoices(other.id)).toMatchObject([{ auto_advance: true }]);

  await stripe.subscriptions.cancel(subscription.id);

  for (const id of [subscription.id, other.id]) {
    expect(await openInvoices(id)).toMatchObject([{ auto_advance: false, next_payment_attempt: null }]);
  }
  expect(await openInvoices(stranger.id)).toMatchObject([{ auto_advance: true }]);
  expect((await stripe.subscriptions.retrieve(other.id)).status).toBe('past_due');
});

test('collection that a cancellation has stopped can be resumed', async () => {
  const { customer, subscription } = await subscribe(world, { number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  await stripe.subscriptions.cancel(subscription.id);
  const [invoice] = (await stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
  const attempts = async () => (await stripe.invoices.retrieve(String(invoice?.id))).attempt_count;
  const tried = await attempts();
  await world.clock.advance(10 * DAY);
  expect(await attempts()).toBe(tried);

  await stripe.invoices.update(String(invoice?.id), { auto_advance: true });
  await world.clock.advance(HOUR);

  expect(await attempts()).toBe(tried + 1);
});

test('canceling an incomplete subscription expires it and voids its invoice', async () => {
  const { subscription, invoice } = await incomplete();
  expect(subscription.status).toBe('incomplete');

  expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({
    status: 'incomplete_expired',
    ended_at: expect.any(Number) as number,
  });

  expect(
    await stripe.invoices.retrieve(invoice, { expand: ['payments.data.payment.payment_intent'] }),
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
  await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({
    statusCode: 400,
    message: 'Voided invoices cannot be paid.',
  });
});

test('an incomplete subscription takes metadata and a card, and an expired one takes nothing', async () => {
  const { subscription } = await incomplete();
  expect(await stripe.subscriptions.update(subscription.id, { metadata: { seen: 'yes' } })).toMatchObject({
    metadata: { seen: 'yes' },
  });
  await expect(
    stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
  ).rejects.toMatchObject({ statusCode: 400 });

  await world.clock.advance(DAY);

  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired');
  await expect(
    stripe.subscriptions.update(subscription.id, { metadata: { seen: '' } }),
  ).rejects.toMatchObject({ statusCode: 400 });
});

test('the metadata of a deleted customer’s subscription can still be changed, the customer’s can’t', async () => {
  const { customer, subscription } = await subscribe(world);
  await stripe.customers.del(customer.id);

  expect(await stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } })).toMatchObject({
    status: 'canceled',
    metadata: { closed: 'yes' },
  });
  await expect(stripe.customers.update(customer.id, { metadata: { a: 'b' } })).rejects.toMatchObject({
    statusCode: 404,
  });
});
