import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, enterCard, reload, stripe, useStripe, world } from '../fixtures/stripe.ts';

// Payments and refunds that don't settle at once, and payments that need the cardholder.

useStripe();

const SETTLES_LATER = '4000 0099 9900 0014';
const FAILS_LATER = '4000 0099 9900 0022';
const AUTHENTICATES_ALWAYS = '4000 0027 6000 3184';

/** The types of the events after the first `count`, oldest first. */
const typesSince = (count: number): string[] =>
  world.service
    .listEvents()
    .toReversed()
    .slice(count)
    .map(({ type }) => type);

const eventCount = (): number => world.service.listEvents().length;

async function latestInvoice(subscription: Stripe.Subscription): Promise<Stripe.Invoice> {
  const { latest_invoice: id } = await reload(subscription);
  return stripe.invoices.retrieve(id as string, {
    expand: ['payments.data.payment.payment_intent.latest_charge'],
  });
}

describe('a checkout whose payment settles later', () => {
  test('is complete and unpaid, with an active subscription and an open invoice', async () => {
    const { session, subscription } = await world.subscribe({ number: SETTLES_LATER });

    expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect(subscription.status).toBe('active');
    expect(await latestInvoice(subscription)).toMatchObject({
      status: 'open',
      amount_paid: 0,
      next_payment_attempt: null,
      payments: { data: [{ payment: { payment_intent: { status: 'processing' } } }] },
    });
    const types = typesSince(0);
    expect(types).toContain('charge.pending');
    expect(types).toContain('payment_intent.processing');
    expect(types).toContain('checkout.session.completed');
    expect(types).not.toContain('invoice.paid');
  });

  test('is paid when the payment succeeds', async () => {
    const { session, subscription } = await world.subscribe({ number: SETTLES_LATER });
    const before = eventCount();
    await world.clock.advance(4 * DAY);

    expect(typesSince(before)).toEqual([
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice.updated',
      'checkout.session.async_payment_succeeded',
    ]);
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    expect(await latestInvoice(subscription)).toMatchObject({ status: 'paid', amount_paid: 500 });
    expect((await reload(subscription)).status).toBe('active');
  });

  test('stays unpaid when the payment fails: the invoice is voided and the subscription stays active', async () => {
    const { session, subscription } = await world.subscribe({ number: FAILS_LATER });
    const before = eventCount();
    await world.clock.advance(4 * DAY);

    expect(typesSince(before)).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.payment_failed',
      'payment_intent.canceled',
      'invoice.voided',
      'checkout.session.async_payment_failed',
    ]);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    });
    expect((await latestInvoice(subscription)).status).toBe('void');
    expect((await reload(subscription)).status).toBe('active');
  });

  test('still takes the money if the subscription is canceled in the meantime', async () => {
    const { customer, subscription } = await world.subscribe({ number: SETTLES_LATER });
    await stripe.subscriptions.cancel(subscription.id);

    await world.clock.advance(4 * DAY);

    expect((await latestInvoice(subscription)).status).toBe('paid');
    expect((await reload(subscription)).status).toBe('canceled');
    expect((await stripe.charges.list({ customer: customer.id })).data).toMatchObject([{ paid: true }]);
  });
});

test('an invoice whose payment is processing can be neither paid again, nor voided, nor refunded', async () => {
  const { customer, subscription } = await world.subscribe({ number: SETTLES_LATER });
  const { id } = await latestInvoice(subscription);
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data;

  await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.invoices.voidInvoice(id)).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.refunds.create({ charge: charge?.id ?? '' })).rejects.toMatchObject({
    statusCode: 400,
  });
  await stripe.invoices.update(id, { auto_advance: true });
  await world.clock.advance(2 * HOUR);
  expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(1);
});

test('a renewal that settles later keeps the subscription active, and past due if it fails', async () => {
  const { customer, subscription } = await world.subscribe();
  const method = await stripe.paymentMethods.attach('pm_card_settlesLaterFails', { customer: customer.id });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
  await world.clock.advance(32 * DAY);
  expect((await reload(subscription)).status).toBe('active');
  expect((await latestInvoice(subscription)).status).toBe('open');

  await world.clock.advance(4 * DAY);
  expect((await reload(subscription)).status).toBe('past_due');
  expect(await latestInvoice(subscription)).toMatchObject({ status: 'open', attempt_count: 1 });

  const good = await stripe.paymentMethods.attach('pm_card_settlesLater', { customer: customer.id });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: good.id });
  await world.clock.advance(4 * DAY);
  expect((await reload(subscription)).status).toBe('past_due');
  await world.clock.advance(4 * DAY);
  expect((await reload(subscription)).status).toBe('active');
  expect((await latestInvoice(subscription)).status).toBe('paid');
});

describe('a card that always authenticates', () => {
  test('pays the invoice on its page with the card that waits, once the bank has its answer', async () => {
    const { subscription } = await world.subscribe({ number: AUTHENTICATES_ALWAYS });
    await world.clock.advance(32 * DAY);
    const { hosted_invoice_url: page } = await latestInvoice(subscription);
    const answered = async (...card: [number: string, authentication?: 'accepted' | 'refused']) =>
      (await enterCard(`${page}/pay`, ...card)).json();

    expect(await answered('')).toEqual({ kind: 'challenge' });
    expect(await answered('', 'refused')).toMatchObject({ kind: 'refused' });
    expect((await reload(subscription)).status).toBe('past_due');
    expect(await answered(AUTHENTICATES_ALWAYS)).toEqual({ kind: 'challenge' });
    expect(await answered(AUTHENTICATES_ALWAYS, 'accepted')).toMatchObject({ kind: 'done' });

    expect((await reload(subscription)).status).toBe('active');
  });

  test('does not need to if it was set up for later payments', async () => {
    const { subscription } = await world.subscribe({ number: '4000 0025 0000 3155' });
    await world.clock.advance(32 * DAY);
    expect((await reload(subscription)).status).toBe('active');
  });
});

test('a card that is declined on the page of an invoice leaves its failed charge, unattached', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  const { hosted_invoice_url: page, attempt_count: attempts } = await latestInvoice(subscription);
  const before = eventCount();

  const answer = await enterCard(`${page}/pay`, '4000000000000002');

  expect(answer.status).toBe(402);
  expect(typesSince(before)).toEqual([
    'charge.failed',
    'payment_intent.payment_failed',
    'invoice.payment_failed',
  ]);
  expect(await latestInvoice(subscription)).toMatchObject({ status: 'open', attempt_count: attempts });
  const [failed] = (await stripe.charges.list({ customer: customer.id })).data;
  expect(failed).toMatchObject({ status: 'failed', payment_method_details: { card: { last4: '0002' } } });
});
