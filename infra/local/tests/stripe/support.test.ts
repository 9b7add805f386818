import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import {
  DAY,
  HOUR,
  enterCard,
  refusalOf,
  reload,
  stripe,
  typesReceived,
  useStripe,
  world,
} from '../fixtures/stripe.ts';

// Support's work at Stripe: pauses, invoices by mail, debts that it writes off.

useStripe();

const invoicesOf = async ({ id }: Stripe.Subscription): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ subscription: id })).data;

/** This second, or one of the last. */
const justNow = (): unknown => expect.closeTo(world.now(), -1);

test('a paused subscription bills nothing; resumed, its new period takes less by the unused time', async () => {
  const { subscription } = await world.subscribe();
  await world.clock.advance(5 * DAY);
  const paused = await stripe.subscriptions.pause(subscription.id);
  expect(paused).toMatchObject({
    status: 'paused',
    status_details: { paused: { subscription: { type: 'pause_requested' }, transitioned_at: justNow() } },
  });
  await world.clock.advance(60 * DAY);
  expect(await invoicesOf(subscription)).toHaveLength(1);

  const resumed = await stripe.subscriptions.resume(subscription.id, {
    payment_behavior: 'resume_on_payment_success',
  });

  expect(resumed.status).toBe('active');
  expect(resumed).not.toHaveProperty('status_details');
  expect(resumed.items.data[0]?.current_period_start).toEqual(justNow());
  // 26 of 31 days were unused.
  expect((await invoicesOf(subscription))[0]).toMatchObject({
    amount_paid: 81,
    billing_reason: 'subscription_update',
    status: 'paid',
    lines: { data: [{ amount: -419 }, { amount: 500 }] },
  });
  await world.service.allDelivered();
  expect(typesReceived()).toEqual(
    expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
  );
});

test('by default, a resumed subscription stays paused until its invoice is paid, for 23 hours', async () => {
  const { customer, subscription } = await world.subscribe();
  await stripe.subscriptions.pause(subscription.id, { bill_for: { unused_time_from: { type: 'none' } } });
  expect((await stripe.subscriptions.resume(subscription.id)).status).toBe('paused');
  await world.clock.advance(23 * HOUR);
  expect(await reload(subscription)).toMatchObject({ status: 'paused' });
  expect((await invoicesOf(subscription))[0]).toMatchObject({ status: 'void' });

  await stripe.subscriptions.resume(subscription.id);
  const [invoice] = await invoicesOf(subscription);
  await stripe.invoices.pay(invoice?.id ?? '');

  expect((await reload(subscription)).status).toBe('active');
  await stripe.subscriptions.pause(subscription.id);
  await stripe.subscriptions.cancel(subscription.id);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
});

test('a renewal that is a draft when support pauses the subscription is collected, and ends no pause', async () => {
  const { subscription } = await world.subscribe();
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  await world.clock.advance((end + 600) * 1000 - world.clock.now().getTime());
  const paused = await stripe.subscriptions.pause(subscription.id);
  expect(paused.items.data[0]?.current_period_end).toEqual(justNow());
  await world.clock.advance(2 * HOUR);
  expect((await invoicesOf(subscription))[0]).toMatchObject({ status: 'paid' });
  expect((await reload(subscription)).status).toBe('paused');
});

test('an invoice by mail is never tried, is overdue at its date, and its page takes a payment', async () => {
  const { subscription } = await world.subscribe();
  await stripe.subscriptions.update(subscription.id, {
    collection_method: 'send_invoice',
    days_until_due: 20,
  });
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  await world.clock.advance(end * 1000 + 2 * HOUR - world.clock.now().getTime());
  const [sent] = await invoicesOf(subscription);
  expect(sent).toMatchObject({
    status: 'open',
    attempt_count: 0,
    due_date: end + 20 * 86_400,
    next_payment_attempt: null,
  });
  expect((await reload(subscription)).status).toBe('active');

  await world.clock.advance(20 * DAY);

  expect((await reload(subscription)).status).toBe('past_due');
  expect(typesReceived()).toEqual(expect.arrayContaining(['invoice.sent', 'invoice.overdue']));
  // The second renewal's invoice decides now.
  await world.clock.advance(10 * DAY);
  const [latest] = await invoicesOf(subscription);
  expect(latest?.id).not.toBe(sent?.id);
  await enterCard(`${latest?.hosted_invoice_url}/pay`);
  expect((await reload(subscription)).status).toBe('active');
});

test.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
] as const)('a collection that is paused by %s takes nothing', async (behavior, status) => {
  const { subscription } = await world.subscribe();
  await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior } });
  await world.clock.advance(32 * DAY);
  expect((await invoicesOf(subscription))[0]).toMatchObject({ status, amount_paid: 0 });
  expect((await reload(subscription)).status).toBe('active');
});

test('an older invoice that is overdue leaves a subscription active whose latest one is paid', async () => {
  const { subscription } = await world.subscribe();
  await stripe.subscriptions.update(subscription.id, {
    collection_method: 'send_invoice',
    days_until_due: 45,
  });
  await world.clock.advance(63 * DAY);
  const [latest, older] = await invoicesOf(subscription);
  await enterCard(`${latest?.hosted_invoice_url}/pay`);
  await world.clock.advance(20 * DAY);
  expect(await stripe.invoices.retrieve(older?.id ?? '')).toMatchObject({ status: 'open' });
  expect(typesReceived()).toContain('invoice.overdue');
  expect((await reload(subscription)).status).toBe('active');
});

test('an invoice that failed before the collection was paused is tried again', async () => {
  const { subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void' } });
  await world.clock.advance(4 * DAY);
  expect((await invoicesOf(subscription))[0]).toMatchObject({ status: 'open', attempt_count: 2 });
});

test('an invoice that can’t be finalized stays a draft and says why, until support finalizes it', async () => {
  const { customer, subscription } = await world.subscribe();
  world.service.changeCustomer(customer.id, { finalizes: false });
  await world.clock.advance(32 * DAY);
  const [draft] = await invoicesOf(subscription);
  const id = draft?.id ?? '';
  expect(draft).toMatchObject({
    status: 'draft',
    automatically_finalizes_at: null,
    last_finalization_error: { code: 'customer_tax_location_invalid' },
  });
  expect((await reload(subscription)).status).toBe('active');
  expect(typesReceived()).toContain('invoice.finalization_failed');
  expect(await refusalOf(stripe.invoices.finalizeInvoice(id))).toMatchObject({ statusCode: 400 });

  world.service.changeCustomer(customer.id, { finalizes: true });
  await stripe.invoices.finalizeInvoice(id);
  await world.clock.advance(HOUR);

  expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid', last_finalization_error: null });
});
