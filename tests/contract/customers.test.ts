import { describe, expect, test } from 'vitest';
import { metadata, expectInvalid, useTarget, subscribe, target, stripe } from './harness.ts';

// Addresses in the comments are those of Stripe's documents.

useTarget();

const returnUrl = 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}';

describe('a customer', () => {
  // https://docs.stripe.com/api/customers/create and https://docs.stripe.com/api/metadata. "Any parameters not
  // provided are left unchanged": https://docs.stripe.com/api/customers/update
  test('is read with the metadata that it was created with, and keeps it when it gets another address', async () => {
    const { id } = await target.createCustomer({ email: 'ada@example.com', metadata });
    const customer = await stripe.customers.retrieve(id);
    expect(customer).toMatchObject({ object: 'customer', email: 'ada@example.com', metadata });
    const changed = await stripe.customers.update(id, { email: 'ada@new.example' });
    expect(changed).toMatchObject({ id, email: 'ada@new.example', metadata });
  });
});

// https://docs.stripe.com/error-codes#resource-missing and https://docs.stripe.com/api/errors. In lists and
// for a refund, the product reads the code and not the status.
test.each<[string, number | undefined, () => Promise<unknown>]>([
  ['reading a customer', 404, () => stripe.customers.retrieve('cus_ofTheContract')],
  ['deleting a customer', 404, () => stripe.customers.del('cus_ofTheContract')],
  ['changing a customer', 404, () => stripe.customers.update('cus_ofTheContract', { email: 'a@b.example' })],
  ['reading a subscription', 404, () => stripe.subscriptions.retrieve('sub_ofTheContract')],
  ['reading a session', 404, () => stripe.checkout.sessions.retrieve('cs_test_ofTheContract')],
  ['listing subscriptions', undefined, () => stripe.subscriptions.list({ customer: 'cus_ofTheContract' })],
  ['listing invoices', undefined, () => stripe.invoices.list({ customer: 'cus_ofTheContract' })],
  ['listing charges', undefined, () => stripe.charges.list({ customer: 'cus_ofTheContract' })],
  ['a refund', undefined, () => stripe.refunds.create({ payment_intent: 'pi_ofTheContract' })],
])('%s is refused with the code resource_missing if the id never existed', async (_, statusCode, ask) => {
  await expectInvalid(ask(), { ...(statusCode && { statusCode }), code: 'resource_missing' });
});

describe('a deleted customer', () => {
  // "Permanently deletes a customer. It cannot be undone. Also immediately cancels any active subscriptions
  // on the customer": https://docs.stripe.com/api/customers/delete
  test('has no subscription left that isn’t canceled, and each keeps its metadata', async () => {
    const { customer, subscription } = await subscribe();
    expect(await stripe.customers.del(customer.id)).toMatchObject({ id: customer.id, deleted: true });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      metadata: subscription.metadata,
      ended_at: expect.any(Number) as number,
    });
  });

  // "Unlike other objects, deleted customers can still be retrieved through the API in order to be able to
  // track their history", and "If the customer ID does not exist, this call raises an error":
  // https://docs.stripe.com/api/customers/delete The reference doesn't say that a deleted customer counts as
  // one that doesn't exist.
  test('can be read, says that it is deleted, and is missing at a second deletion', async () => {
    const { id } = await target.createCustomer();
    await stripe.customers.del(id);
    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
    await expectInvalid(stripe.customers.del(id), { statusCode: 404, code: 'resource_missing' });
  });

  // "Removes all credit card details and prevents any further operations to be performed (such as adding a
  // new subscription)": https://docs.stripe.com/api/customers/delete. The reference doesn't name the code.
  test.each<[string, (customer: string) => Promise<unknown>]>([
    [
      'checkout',
      async (customer) =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          ui_mode: 'embedded_page',
          customer,
          line_items: [{ price: (await target.monthlyPrice()).id, quantity: 1 }],
          return_url: returnUrl,
        }),
    ],
    [
      'portal session',
      (customer) =>
        stripe.billingPortal.sessions.create({
          customer,
          return_url: 'https://selfsame.example/dashboard',
        }),
    ],
    [
      'subscription',
      async (customer) =>
        stripe.subscriptions.create({ customer, items: [{ price: (await target.monthlyPrice()).id }] }),
    ],
  ])('gets no %s: the code is resource_missing', async (_, ask) => {
    const { id } = await target.createCustomer();
    await stripe.customers.del(id);
    await expectInvalid(ask(id), { code: 'resource_missing' });
  });
});
