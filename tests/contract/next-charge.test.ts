import { describe, expect, test } from 'vitest';
import {
  advanceTo,
  HOUR,
  latestInvoice,
  periodEnd,
  refusalOf,
  useTarget,
  subscribe,
  subscribeAndFail,
  stripe,
} from './harness.ts';

// Addresses in the comments are those of Stripe's documents.

useTarget();

describe('a preview of the next charge', () => {
  // https://docs.stripe.com/api/invoices/create_preview
  test('has a coupon, the credit and what was added, and is what is then taken', async () => {
    const { customer, subscription } = await subscribe();
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    await stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: coupon.id }] });
    await stripe.customers.update(customer.id, { balance: -100 });
    await stripe.invoiceItems.create({
      customer: customer.id,
      amount: 300,
      currency: 'usd',
      discountable: false,
    });

    const preview = await stripe.invoices.createPreview({ subscription: subscription.id });

    expect(preview).toMatchObject({ amount_due: 450, currency: 'usd', period_end: periodEnd(subscription) });
    expect(preview.next_payment_attempt).toBeGreaterThanOrEqual(periodEnd(subscription));
    // Lines that were added come first: https://docs.stripe.com/api/invoices/object#invoice_object-lines
    expect(preview.lines.data.map(({ parent }) => parent?.type)).toEqual([
      'invoice_item_details',
      'subscription_item_details',
    ]);
    await advanceTo(periodEnd(subscription) + 2 * HOUR);
    expect(await latestInvoice(subscription.id)).toMatchObject({ status: 'paid', amount_paid: 450 });
  });

  // "The invoice is marked as paid and the amount owed moved to the invoice balance as a debit":
  // https://docs.stripe.com/billing/customer/balance
  test('is nothing below Stripe’s least charge, which the charge after it makes up for', async () => {
    const { customer, subscription } = await subscribe();
    await stripe.customers.update(customer.id, { balance: -470 });
    const preview = () => stripe.invoices.createPreview({ subscription: subscription.id });
    expect(await preview()).toMatchObject({ amount_due: 0 });
    await advanceTo(periodEnd(subscription) + 2 * HOUR);
    expect(await latestInvoice(subscription.id)).toMatchObject({ status: 'paid', amount_paid: 0 });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 30 });
    expect(await preview()).toMatchObject({ amount_due: 530 });
  });

  // "The invoice balance automatically applies toward the next invoice finalized": the same page. So the
  // product names no charge while a renewal is a draft.
  test('counts a credit twice while a draft is about to use it', async () => {
    const { customer, subscription } = await subscribe();
    await stripe.customers.update(customer.id, { balance: -500 });
    const preview = () => stripe.invoices.createPreview({ subscription: subscription.id });
    await advanceTo(periodEnd(subscription) + 60);
    expect(await latestInvoice(subscription.id)).toMatchObject({ status: 'draft', amount_due: 0 });
    expect(await preview()).toMatchObject({ amount_due: 0 });
    await advanceTo(periodEnd(subscription) + 2 * HOUR);
    expect(await preview()).toMatchObject({ amount_due: 500 });
  });

  // https://docs.stripe.com/error-codes#invoice-upcoming-none
  test('is refused where nothing will be charged', async () => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const refusal = await refusalOf(stripe.invoices.createPreview({ subscription: subscription.id }));
    expect(refusal).toMatchObject({ code: 'invoice_upcoming_none' });
  });
});

// https://docs.stripe.com/api/subscriptions/pause
test('a paused subscription says so, and can be canceled', async () => {
  const { subscription } = await subscribe();
  const paused = await stripe.subscriptions.pause(subscription.id);
  expect(paused).toMatchObject({ status: 'paused', status_details: { paused: { type: 'subscription' } } });
  expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled');
});

// https://docs.stripe.com/billing/subscriptions/overview: "marking it uncollectible".
test('an invoice that is written off makes its subscription active, and can still be voided', async () => {
  const { subscription } = await subscribeAndFail();
  const { id } = await latestInvoice(subscription.id);
  expect((await stripe.invoices.markUncollectible(id)).status).toBe('uncollectible');
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  expect((await stripe.invoices.voidInvoice(id)).status).toBe('void');
});
