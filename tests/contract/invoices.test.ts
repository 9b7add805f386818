import { describe, expect, test } from 'vitest';
import {
  advanceTo,
  giveCard,
  HOUR,
  latestInvoice,
  periodEnd,
  expectInvalid,
  useTarget,
  subscribe,
  subscribeAndFail,
  idOf,
  stripe,
} from './harness.ts';

// Addresses in the comments are those of Stripe's documents.

useTarget();

describe('a paid invoice', () => {
  // https://docs.stripe.com/api/invoices/object#invoice_object-status_transitions-paid_at and
  // https://docs.stripe.com/api/invoice-line-item/object#invoice_line_item_object-period
  test('has what the customer is shown, the moment of its payment, and a line with the paid period', async () => {
    const { subscription } = await subscribe();
    const invoice = await latestInvoice(subscription.id);
    expect(invoice).toMatchObject({
      status: 'paid',
      number: expect.any(String) as string,
      total: 500,
      currency: 'usd',
      created: expect.any(Number) as number,
      hosted_invoice_url: expect.stringMatching(/^https?:/) as string,
      invoice_pdf: expect.stringMatching(/^https?:/) as string,
    });
    expect(invoice.status_transitions.paid_at).toBeGreaterThanOrEqual(subscription.created);
    expect(invoice.lines.data.map(({ period }) => period.end)).toEqual([periodEnd(subscription)]);
  });

  // https://docs.stripe.com/api/invoices/list
  test('is listed by its customer, its subscription and its status', async () => {
    const { customer, subscription } = await subscribe();
    for (const filter of [{ customer: customer.id }, { subscription: subscription.id }]) {
      const paid = await stripe.invoices.list({ ...filter, status: 'paid' });
      expect(paid.data.map(({ id }) => id)).toEqual([subscription.latest_invoice]);
      expect((await stripe.invoices.list({ ...filter, status: 'open' })).data).toEqual([]);
    }
  });

  // https://docs.stripe.com/api/invoices/object#invoice_object-payments: expandable.
  test('has its payments when they are expanded in a list', async () => {
    const { customer } = await subscribe();
    const { data } = await stripe.invoices.list({ customer: customer.id, expand: ['data.payments'] });
    expect(data[0]?.payments?.data).toMatchObject([
      { payment: { type: 'payment_intent', payment_intent: expect.stringMatching(/^pi_/) as string } },
    ]);
  });

  // https://docs.stripe.com/api/invoice-payment/list
  test('has one default payment, which names its payment intent', async () => {
    const { subscription } = await subscribe();
    const { data } = await stripe.invoicePayments.list({
      invoice: idOf(subscription.latest_invoice),
      status: 'paid',
    });
    expect(data).toMatchObject([
      { is_default: true, payment: { payment_intent: expect.stringMatching(/^pi_/) as string } },
    ]);
  });

  // "Mark a finalized invoice as void": https://docs.stripe.com/api/invoices/void. Open and uncollectible
  // invoices can be voided: https://docs.stripe.com/invoicing/overview#void
  test('can’t be voided', async () => {
    const { subscription } = await subscribe();
    await expectInvalid(stripe.invoices.voidInvoice(idOf(subscription.latest_invoice)));
  });
});

describe('the invoice of a failed renewal', () => {
  // https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses and
  // https://docs.stripe.com/api/invoices/object#invoice_object-attempt_count
  test('is open, was tried once, says when it is tried next; the subscription is past due', async () => {
    const { subscription, invoice } = await subscribeAndFail();
    expect(subscription.status).toBe('past_due');
    expect(invoice).toMatchObject({
      status: 'open',
      billing_reason: 'subscription_cycle',
      attempted: true,
      attempt_count: 1,
      amount_remaining: 500,
    });
    expect(invoice.next_payment_attempt).toBeGreaterThan(invoice.created);
  });

  // https://docs.stripe.com/api/subscriptions/object#subscription_object-cancellation_details-reason. That the
  // subscription is canceled then is a setting of the account.
  test('ends its subscription after the last try: the reason is payment_failed, and no end had been set', async () => {
    const { subscription } = await subscribeAndFail();
    await advanceTo(periodEnd(subscription) + 60);
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({
      status: 'canceled',
      cancel_at: null,
      cancel_at_period_end: false,
      cancellation_details: { reason: 'payment_failed' },
    });
    expect(ended.ended_at).toBeGreaterThan(subscription.created);
  });

  // "By default, upon subscription cancellation, Stripe stops automatic collection of all finalized invoices
  // for the customer": https://docs.stripe.com/api/subscriptions/cancel
  test('is no longer collected after a cancellation, and stays open', async () => {
    const { subscription, invoice } = await subscribeAndFail();
    await stripe.subscriptions.cancel(subscription.id);
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'open',
      auto_advance: false,
    });
  });

  // https://docs.stripe.com/api/invoices/void
  test('can be voided once', async () => {
    const { subscription, invoice } = await subscribeAndFail();
    await stripe.subscriptions.cancel(subscription.id);
    expect((await stripe.invoices.voidInvoice(invoice.id)).status).toBe('void');
    await expectInvalid(stripe.invoices.voidInvoice(invoice.id));
  });

  // https://docs.stripe.com/api/invoices/pay. A payment makes a subscription active again:
  // https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
  test('makes the subscription active again when it is paid', async () => {
    const { customer, subscription, invoice } = await subscribeAndFail();
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const paid = await stripe.invoices.pay(invoice.id, { payment_method: card.id });
    expect(paid.status).toBe('paid');
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  // https://docs.stripe.com/api/invoices/pay#pay_invoice-paid_out_of_band: "marked as paid outside of
  // Stripe". Such a payment is no payment intent:
  // https://docs.stripe.com/api/invoice-payment/object#invoice_payment_object-payment-type
  test('has no payment to refund when it is marked as paid outside Stripe', async () => {
    const { invoice } = await subscribeAndFail();
    await stripe.invoices.pay(invoice.id, { paid_out_of_band: true });
    const { data } = await stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid' });
    expect(data.filter(({ payment }) => payment.payment_intent)).toEqual([]);
  });
});

describe('a renewal that waits for authentication', () => {
  // "past_due when payment is required but cannot be paid (due to failed payment or awaiting additional user
  // actions)": https://docs.stripe.com/api/subscriptions/object#subscription_object-status. The card:
  // https://docs.stripe.com/testing#authentication-and-setup
  test('makes the subscription past due, and its invoice stays open', async () => {
    const { customer, subscription } = await subscribe();
    await giveCard(customer.id, 'pm_card_authenticationRequired');
    await advanceTo(periodEnd(subscription) + 2 * HOUR);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect((await latestInvoice(subscription.id)).status).toBe('open');
  });
});
