import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY, HOUR, reload, stripe, typesReceived, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

const seconds = (moment: string): number => Date.parse(moment) / 1000;

const advanceTo = (moment: string): Promise<Date> =>
  world.clock.advance(Date.parse(moment) - world.clock.now().getTime());

interface Renewal {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  draft: Stripe.Invoice;
}

/** A subscription at the start of its second period, with its draft. */
async function renewed(card = '4242 4242 4242 4242'): Promise<Renewal> {
  const { customer, subscription } = await world.subscribe({ number: card });
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  await world.clock.advance(end * 1000 - world.clock.now().getTime());
  await world.service.allDelivered();
  return { customer, subscription, draft: await latestInvoice(subscription) };
}

async function latestInvoice(subscription: Stripe.Subscription): Promise<Stripe.Invoice> {
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription.id, {
    expand: ['latest_invoice'],
  });
  if (invoice === null || typeof invoice === 'string') throw new Error('The invoice was not expanded.');
  return invoice;
}

const eventsOf = ({ id }: Stripe.Invoice): string[] =>
  world.service
    .listEvents()
    .filter(({ data }) => (data as { id?: string }).id === id)
    .map(({ type }) => type)
    .toReversed();

const paidCharges = async (customer: Stripe.Customer): Promise<number> =>
  (await stripe.charges.list({ customer: customer.id })).data.filter(({ paid }) => paid).length;

test('a subscription begun on 31 January renews on each last day, by its anchor', async () => {
  await advanceTo('2030-01-31T10:30:00Z');
  const { customer, subscription } = await world.subscribe();
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
  const { data } = await stripe.invoices.list({ customer: customer.id, subscription: subscription.id });
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
  const { subscription } = await world.subscribe();
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
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await world.clock.advance(62 * DAY);
  await world.service.allDelivered();
  expect(announced()).toHaveLength(2);
});

test('one long jump of the clock renews at every due time, with webhooks at their own times', async () => {
  const { subscription } = await world.subscribe();
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

test('a renewal without a card fails like a declined renewal', async () => {
  const { subscription } = await world.subscribe();
  await stripe.paymentMethods.detach(subscription.default_payment_method as string);
  expect((await reload(subscription)).default_payment_method).toBeNull();

  await world.clock.advance(32 * DAY);

  expect((await reload(subscription)).status).toBe('past_due');
});

// A renewal's invoice is a draft for an hour.

test('the draft of a subscription that was canceled in the hour is still charged', async () => {
  const { customer, subscription, draft } = await renewed();
  await stripe.subscriptions.cancel(subscription.id);
  expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({ status: 'draft', auto_advance: true });

  await world.clock.advance(HOUR);

  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid');
  expect((await reload(subscription)).status).toBe('canceled');
  expect(await paidCharges(customer)).toBe(2);
});

test('the draft of a customer who was deleted in the hour is finalized and can’t be charged', async () => {
  const { customer, draft } = await renewed();
  await stripe.customers.del(customer.id);

  await world.clock.advance(HOUR);

  expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({ status: 'open', attempted: true });
  expect(await paidCharges(customer)).toBe(1);
});

test('a draft that is finalized by a request is still collected within the hour', async () => {
  const { draft } = await renewed();
  expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({ status: 'open', attempted: false });
  await expect(stripe.invoices.finalizeInvoice(draft.id)).rejects.toMatchObject({ statusCode: 400 });

  await world.clock.advance(HOUR);

  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid');
});

test('a draft that is paid by a request is finalized first', async () => {
  const { draft } = await renewed();

  expect(await stripe.invoices.pay(draft.id)).toMatchObject({
    status: 'paid',
    number: expect.stringMatching(/-0002$/) as string,
  });
  expect(eventsOf(draft).slice(0, 3)).toEqual(['invoice.created', 'invoice.finalized', 'invoice.paid']);
});

test('a past due subscription is active again in the hour of its next renewal, once the earlier invoice is paid', async () => {
  const { customer, subscription } = await renewed('4000 0000 0000 0341');
  await world.clock.advance(HOUR);
  const failed = await latestInvoice(subscription);
  // Without retries, which would end the subscription before it renews.
  await stripe.invoices.update(failed.id, { auto_advance: false });
  const end = (await reload(subscription)).items.data[0]?.current_period_end ?? 0;
  await world.clock.advance(end * 1000 - world.clock.now().getTime());
  expect(await reload(subscription)).toMatchObject({ status: 'past_due' });
  expect((await latestInvoice(subscription)).status).toBe('draft');

  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.invoices.pay(failed.id, { payment_method: method.id });

  expect((await reload(subscription)).status).toBe('active');
});

const priceOf = (subscription: Stripe.Subscription): string => String(subscription.items.data[0]?.price.id);

test('a cancellation stops the collection of all of the customer’s open invoices, and of nobody else’s', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const other = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: priceOf(subscription) }],
    default_payment_method: subscription.default_payment_method as string,
    payment_behavior: 'allow_incomplete',
  });
  const { subscription: stranger } = await world.subscribe({ number: '4000 0000 0000 0341' });
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
