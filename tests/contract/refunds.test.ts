import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY, expectInvalid, useTarget, subscribe, idOf, metadata, target, stripe } from './harness.ts';

// Addresses in the comments are those of Stripe's documents.

useTarget();

/** The customer and the payment intent of a new, paid subscription. */
async function pay(token?: string): Promise<{ customer: string; payment_intent: string }> {
  const { customer, subscription } = await subscribe(token);
  const { data } = await stripe.invoicePayments.list({
    invoice: idOf(subscription.latest_invoice),
    status: 'paid',
  });
  return { customer: customer.id, payment_intent: idOf(data[0]?.payment.payment_intent) };
}

// https://docs.stripe.com/api/refunds/create and
// https://docs.stripe.com/api/charges/object#charge_object-amount_refunded
test('a refund of a payment intent returns the whole amount of its charge, which says so', async () => {
  const { customer, payment_intent } = await pay();
  const refund = await stripe.refunds.create({ payment_intent, reason: 'duplicate', metadata });
  expect(refund).toMatchObject({
    metadata,
    status: 'succeeded',
    amount: 500,
    payment_intent,
    reason: 'duplicate',
  });
  const { data } = await stripe.charges.list({ customer });
  expect(data).toMatchObject([{ payment_intent, amount_refunded: 500, refunded: true }]);
});

// https://docs.stripe.com/refunds: the invoice keeps its status. Only a credit note changes its amounts.
test('a refunded invoice stays paid', async () => {
  const { subscription } = await subscribe();
  const invoice = idOf(subscription.latest_invoice);
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid' });
  await stripe.refunds.create({ payment_intent: idOf(data[0]?.payment.payment_intent) });
  expect((await stripe.invoices.retrieve(invoice)).status).toBe('paid');
});

// "Refund a charge that has previously been created but not yet refunded": https://docs.stripe.com/api/refunds/create
test('a refund of a charge returns what is left of it, once for an idempotency key', async () => {
  const { customer } = await pay();
  const id = (await stripe.charges.list({ customer })).data[0]?.id ?? '';
  await stripe.refunds.create({ charge: id, amount: 100 });
  const rest = () =>
    stripe.refunds.create({ charge: id, reason: 'requested_by_customer' }, { idempotencyKey: `${id}-100` });
  expect((await rest()).id).toBe((await rest()).id);
  expect((await stripe.charges.list({ customer })).data).toMatchObject([{ amount_refunded: 500 }]);
});

// https://docs.stripe.com/error-codes#charge-already-refunded
test('a second refund is refused as charge_already_refunded', async () => {
  const { payment_intent } = await pay();
  await stripe.refunds.create({ payment_intent });
  await expectInvalid(stripe.refunds.create({ payment_intent }), {
    statusCode: 400,
    code: 'charge_already_refunded',
  });
});

// https://docs.stripe.com/error-codes#charge-disputed. The card: https://docs.stripe.com/testing#disputes
test('a refund of a disputed charge is refused as charge_disputed', async () => {
  const { customer, payment_intent } = await pay('pm_card_createDispute');
  await target.eventually(async () => {
    const { data } = await stripe.charges.list({ customer });
    return data[0]?.disputed || undefined;
  });
  await expectInvalid(stripe.refunds.create({ payment_intent }), {
    statusCode: 400,
    code: 'charge_disputed',
  });
});

// "Asynchronous success. [...] its status begins as pending. Some time later, its status transitions to
// succeeded": https://docs.stripe.com/testing#refunds
test('a refund may be pending before it succeeds', async () => {
  const { payment_intent } = await pay('pm_card_pendingRefund');
  const { id, status } = await stripe.refunds.create({ payment_intent });
  expect(status).toBe('pending');
  await target.advance(2 * DAY);
  await target.eventually(
    async () => (await refundOf(id, payment_intent))?.status === 'succeeded' || undefined,
  );
});

// "Asynchronous failure. [...] its status begins as succeeded. Some time later, its status transitions to
// failed": https://docs.stripe.com/testing#refunds
test('a refund that has succeeded may fail later', async () => {
  const { payment_intent } = await pay('pm_card_refundFail');
  const { id, status } = await stripe.refunds.create({ payment_intent });
  expect(status).toBe('succeeded');
  await target.advance(2 * DAY);
  await target.eventually(async () => (await refundOf(id, payment_intent))?.status === 'failed' || undefined);
});

async function refundOf(id: string, payment_intent: string): Promise<Stripe.Refund | undefined> {
  const { data } = await stripe.refunds.list({ payment_intent });
  return data.find((refund) => refund.id === id);
}
