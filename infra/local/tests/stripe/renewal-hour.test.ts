import type { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, startStripe, subscribe, type StripeStandIn } from '../fixtures/stripe.ts';

// A renewal's invoice is a draft for an hour.

let world: StripeStandIn;
let stripe: Stripe;

beforeEach(async () => {
  world = await startStripe({ start: '2030-01-15T12:00:00Z' });
  ({ stripe } = world);
});
afterEach(() => world.close());

const MINUTE = 60_000;

interface Renewal {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  draft: Stripe.Invoice;
}

/** A subscription at the start of its second period, with its draft. */
async function renewed(card = '4242 4242 4242 4242'): Promise<Renewal> {
  const { customer, subscription } = await subscribe(world, { number: card });
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  await world.clock.advance(end * 1000 - world.clock.now().getTime());
  await world.service.allDelivered();
  return { customer, subscription, draft: await latestInvoice(subscription) };
}

const reload = ({ id }: Stripe.Subscription): Promise<Stripe.Subscription> =>
  stripe.subscriptions.retrieve(id);

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

test('at a renewal the period moves on, and its invoice is a draft that nothing has been taken for', async () => {
  const { customer, subscription, draft } = await renewed();

  expect(draft).toMatchObject({
    status: 'draft',
    billing_reason: 'subscription_cycle',
    auto_advance: true,
    automatically_finalizes_at: draft.created + 3600,
    next_payment_attempt: draft.created + 3600,
    attempted: false,
    number: null,
    hosted_invoice_url: null,
  });
  const now = await reload(subscription);
  expect(now.status).toBe('active');
  expect(now.items.data[0]?.current_period_start).toBe(subscription.items.data[0]?.current_period_end);
  expect(await paidCharges(customer)).toBe(1);
  expect(eventsOf(draft)).toEqual(['invoice.created']);
});

test('after an hour the draft is finalized and paid', async () => {
  const { customer, subscription, draft } = await renewed();

  await world.clock.advance(59 * MINUTE);
  expect((await latestInvoice(subscription)).status).toBe('draft');
  await world.clock.advance(MINUTE);

  expect(await latestInvoice(subscription)).toMatchObject({
    id: draft.id,
    status: 'paid',
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    number: expect.stringMatching(/-0002$/) as string,
    status_transitions: { finalized_at: draft.created + 3600, paid_at: draft.created + 3600 },
  });
  expect(await paidCharges(customer)).toBe(2);
  expect(eventsOf(draft)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice.updated',
  ]);
});

test('a card that fails is found out an hour after the renewal', async () => {
  const { subscription } = await renewed('4000 0000 0000 0341');
  await world.clock.advance(59 * MINUTE);
  expect((await reload(subscription)).status).toBe('active');

  await world.clock.advance(MINUTE);

  expect((await reload(subscription)).status).toBe('past_due');
  expect(await latestInvoice(subscription)).toMatchObject({ status: 'open', attempt_count: 1 });
});

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

test('a draft is not collected if it is finalized without automatic collection, and can then be voided', async () => {
  const { customer, subscription, draft } = await renewed();
  await stripe.subscriptions.cancel(subscription.id);

  expect(await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false })).toMatchObject({
    status: 'open',
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    attempted: false,
  });
  expect((await stripe.invoices.voidInvoice(draft.id)).status).toBe('void');
  await world.clock.advance(48 * HOUR);

  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('void');
  expect(await paidCharges(customer)).toBe(1);
});

test('a draft that is finalized by a request is still collected within the hour', async () => {
  const { draft } = await renewed();
  expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({ status: 'open', attempted: false });
  await expect(stripe.invoices.finalizeInvoice(draft.id)).rejects.toMatchObject({ statusCode: 400 });

  await world.clock.advance(HOUR);

  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid');
});

test('a draft can be neither deleted nor voided', async () => {
  const { draft } = await renewed();
  await expect(stripe.invoices.del(draft.id)).rejects.toMatchObject({
    statusCode: 400,
    message: "You can't delete invoices created by subscriptions.",
  });
  await expect(stripe.invoices.voidInvoice(draft.id)).rejects.toMatchObject({
    statusCode: 400,
    message: "You can only pass in open invoices. This invoice isn't open.",
  });
  await expect(stripe.invoices.del('in_none')).rejects.toMatchObject({ statusCode: 404 });
});

test('a draft without automatic advancement stays a draft, until it is advanced again', async () => {
  const { draft } = await renewed();
  expect(
    await stripe.invoices.update(draft.id, { auto_advance: false, metadata: { held: 'yes' } }),
  ).toMatchObject({
    status: 'draft',
    auto_advance: false,
    automatically_finalizes_at: null,
    metadata: { held: 'yes' },
  });
  await world.clock.advance(48 * HOUR);
  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('draft');

  await stripe.invoices.update(draft.id, { auto_advance: true });
  await world.clock.advance(MINUTE);

  expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({
    status: 'paid',
    metadata: { held: 'yes' },
  });
  await expect(stripe.invoices.update(draft.id, { auto_advance: true })).rejects.toMatchObject({
    param: 'auto_advance',
  });
  expect(await stripe.invoices.update(draft.id, { metadata: { held: '' } })).toMatchObject({ metadata: {} });
});

test('a draft that is paid by a request is finalized first', async () => {
  const { draft } = await renewed();

  expect(await stripe.invoices.pay(draft.id)).toMatchObject({
    status: 'paid',
    number: expect.stringMatching(/-0002$/) as string,
  });
  expect(eventsOf(draft).slice(0, 3)).toEqual(['invoice.created', 'invoice.finalized', 'invoice.paid']);
});

test('a draft that is paid out of band takes no money', async () => {
  const { customer, draft } = await renewed();

  expect(await stripe.invoices.pay(draft.id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' });
  await world.clock.advance(2 * HOUR);

  expect(await paidCharges(customer)).toBe(1);
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
