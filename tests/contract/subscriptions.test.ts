import { describe, expect, test } from 'vitest';
import {
  advanceTo,
  DAY,
  giveCard,
  HOUR,
  latestInvoice,
  metadata,
  periodEnd,
  expectInvalid,
  useTarget,
  subscribe,
  target,
  stripe,
} from './harness.ts';
import { idOf } from '../../functions/adapters/stripe/id-of.ts';

// Addresses in the comments are those of Stripe's documents.

useTarget();

/** A subscription whose first payment has failed. */
async function subscribeIncompletely() {
  const customer = await target.createCustomer();
  await giveCard(customer.id, 'pm_card_chargeCustomerFail');
  const price = await target.monthlyPrice();
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'allow_incomplete',
    metadata,
  });
  return { customer, subscription };
}

describe('a new subscription', () => {
  // https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses. The period is on the items:
  // https://docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end
  test('is active when it is paid, with its period on its item', async () => {
    const { subscription } = await subscribe();
    expect(subscription).toMatchObject({
      status: 'active',
      metadata,
      cancel_at: null,
      cancel_at_period_end: false,
      ended_at: null,
    });
    expect(subscription.items.data).toHaveLength(1);
    const days = (periodEnd(subscription) - target.now()) / DAY;
    expect(days).toBeGreaterThan(27);
    expect(days).toBeLessThan(32);
    expect(await latestInvoice(subscription.id)).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_create',
    });
  });

  // "incomplete: The customer must make a successful payment within 23 hours to activate it":
  // https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses. "If the first invoice is not
  // paid within 23 hours, the subscription transitions to incomplete_expired. This is a terminal status, the
  // open invoice will be voided": https://docs.stripe.com/api/subscriptions/object#subscription_object-status
  test('is incomplete when its payment fails, and expires after 23 hours, when its invoice is voided', async () => {
    const { subscription } = await subscribeIncompletely();
    expect(subscription.status).toBe('incomplete');
    expect((await latestInvoice(subscription.id)).status).toBe('open');
    await target.advance(24 * HOUR);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired');
    expect((await latestInvoice(subscription.id)).status).toBe('void');
  });
});

describe('a list of subscriptions', () => {
  // "The default value when status is omitted is all subscriptions that have not been canceled. Pass
  // `all` for subscriptions of all statuses": https://docs.stripe.com/api/subscriptions/list
  test('leaves out canceled ones, unless all are asked for', async () => {
    const { customer, subscription } = await subscribe();
    const items = [{ price: (await target.monthlyPrice()).id }];
    const other = await stripe.subscriptions.create({ customer: customer.id, items });
    await stripe.subscriptions.cancel(other.id);
    const idsOf = async (asked: { status?: 'all' } = {}): Promise<string[]> => {
      const { data } = await stripe.subscriptions.list({ customer: customer.id, ...asked });
      return data.map(({ id }) => id).toSorted();
    };
    expect(await idsOf()).toEqual([subscription.id]);
    expect(await idsOf({ status: 'all' })).toEqual([subscription.id, other.id].toSorted());
  });

  // https://docs.stripe.com/api/pagination and https://docs.stripe.com/api/pagination/auto
  test('comes in pages, which the client reads to the end', async () => {
    const { customer } = await subscribe();
    const price = await target.monthlyPrice();
    await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    const pages = { customer: customer.id, status: 'all', limit: 1 } as const;
    const first = await stripe.subscriptions.list(pages);
    expect(first).toMatchObject({ has_more: true, data: [{ object: 'subscription' }] });
    expect(await stripe.subscriptions.list(pages).autoPagingToArray({ limit: 10 })).toHaveLength(2);
  });
});

describe('the latest invoice of a subscription', () => {
  // https://docs.stripe.com/api/expanding_objects: in answers to reads and changes, and below `data` in
  // lists.
  test('is expanded where it is asked for: reading, changing, cancelling and listing', async () => {
    const { customer, subscription } = await subscribe();
    const expand = ['latest_invoice'];
    const answers = [
      await stripe.subscriptions.retrieve(subscription.id, { expand }),
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true, expand }),
      await stripe.subscriptions.cancel(subscription.id, { expand }),
      ...(
        await stripe.subscriptions.list({
          customer: customer.id,
          status: 'all',
          expand: ['data.latest_invoice'],
        })
      ).data,
    ];
    expect(answers.map(({ latest_invoice: invoice }) => invoice)).toMatchObject(
      Array.from({ length: 4 }, () => ({
        object: 'invoice',
        status: 'paid',
        billing_reason: 'subscription_create',
        collection_method: 'charge_automatically',
      })),
    );
  });
});

describe('another price without proration', () => {
  // "If you don't want to prorate, set the proration_behavior option to none. With this option, the customer
  // is billed 100 USD on May 1 and 200 USD on June 1": https://docs.stripe.com/api/subscriptions/update
  test('keeps the period and bills nothing before the next renewal', async () => {
    const { customer, subscription } = await subscribe();
    const [item] = subscription.items.data;
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 700,
      recurring: { interval: 'month' },
      product: idOf(item?.price.product ?? ''),
      metadata,
    });
    const moved = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item?.id ?? '', price: price.id }],
      proration_behavior: 'none',
    });
    expect(moved).toMatchObject({ status: 'active', latest_invoice: subscription.latest_invoice });
    expect(periodEnd(moved)).toBe(periodEnd(subscription));
    expect(moved.items.data).toMatchObject([{ id: item?.id, price: { id: price.id, unit_amount: 700 } }]);
    expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
    await advanceTo(periodEnd(subscription) + 2 * HOUR);
    expect(await latestInvoice(subscription.id)).toMatchObject({ amount_due: 700 });
  });
});

describe('cancelling at the end of the period', () => {
  // https://docs.stripe.com/api/subscriptions/update#update_subscription-cancel_at_period_end and
  // https://docs.stripe.com/billing/subscriptions/cancel. "You can also reactivate a subscription [...] by
  // updating cancel_at_period_end to false":
  // https://docs.stripe.com/billing/subscriptions/cancel#reactivating-canceled-subscriptions
  test('leaves the subscription active, names the end in a date and a flag, and is taken back by the flag', async () => {
    const { subscription } = await subscribe();
    const cancelled = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    });
    expect(cancelled).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: periodEnd(subscription),
      ended_at: null,
    });
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject(
      { status: 'active', cancel_at_period_end: false, cancel_at: null },
    );
  });

  // https://docs.stripe.com/api/subscriptions/update#update_subscription-cancel_at. The portal cancels like
  // this.
  test('by a date sets no flag, and an empty date takes it back', async () => {
    const { subscription } = await subscribe();
    const cancel_at = periodEnd(subscription);
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at })).toMatchObject({
      cancel_at,
      cancel_at_period_end: false,
    });
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at: '' })).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
  });

  // The reference of both parameters, https://docs.stripe.com/api/subscriptions/update, is silent about both
  // in one request.
  test('takes a date or the flag, and refuses both', async () => {
    const { subscription } = await subscribe();
    await expectInvalid(
      stripe.subscriptions.update(subscription.id, {
        cancel_at: periodEnd(subscription),
        cancel_at_period_end: true,
      }),
    );
  });

  // https://docs.stripe.com/billing/subscriptions/cancel: "The subscription remains active through the end of
  // the period".
  test('ends the subscription with its period, without another invoice', async () => {
    const { customer, subscription } = await subscribe();
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await target.advance(periodEnd(subscription) - target.now() + 2 * HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: periodEnd(subscription),
    });
    expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
  });
});

describe('a subscription on a schedule', () => {
  // https://docs.stripe.com/api/subscription_schedules/release. No document has the refusal: people quote it.
  test('refuses a cancellation with 400, and takes it once the schedule has released it', async () => {
    const { subscription } = await subscribe();
    const { subscriptions, subscriptionSchedules } = target.stripe;
    const { id } = await subscriptionSchedules.create({ from_subscription: subscription.id });
    expect((await subscriptions.retrieve(subscription.id)).schedule).toBe(id);
    const cancel = () => subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expectInvalid(cancel());
    expect((await subscriptionSchedules.release(id)).status).toBe('released');
    expect(await cancel()).toMatchObject({ cancel_at_period_end: true, schedule: null });
  });
});

describe('paused payments', () => {
  // https://docs.stripe.com/billing/subscriptions/pause-payment
  test('leave the subscription active, and say how they are paused', async () => {
    const { subscription } = await subscribe();
    const paused = await stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'keep_as_draft' },
    });
    expect(paused).toMatchObject({
      status: 'active',
      pause_collection: { behavior: 'keep_as_draft', resumes_at: null },
    });
  });
});

describe('cancelling at once', () => {
  // https://docs.stripe.com/api/subscriptions/cancel#cancel_subscription-cancellation_details-comment
  test('ends the subscription now, and keeps the comment of the cancellation', async () => {
    const { subscription } = await subscribe();
    const comment = 'While a payment was due';
    await stripe.subscriptions.cancel(subscription.id, { cancellation_details: { comment } });
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { comment, reason: 'cancellation_requested' },
    });
    expect(ended.ended_at).toBeGreaterThanOrEqual(subscription.created);
    expect(ended.ended_at).toBeLessThan(periodEnd(subscription));
  });

  // "The Subscription looks already canceled [...] when you try to cancel it again it says the Subscription
  // doesn't exist anymore": Stripe in https://github.com/stripe/stripe-go/issues/1887. The reference is
  // silent.
  test('is refused for an ended subscription: 404, resource_missing', async () => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.cancel(subscription.id);
    await expectInvalid(stripe.subscriptions.cancel(subscription.id), {
      statusCode: 404,
      code: 'resource_missing',
    });
  });

  // The reference is silent. https://github.com/pay-rails/pay/issues/91 quotes Stripe's event about such a
  // subscription, 71 seconds after its creation. The status is a terminal one:
  // https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
  test('makes an incomplete subscription incomplete_expired, and is refused then', async () => {
    const { subscription } = await subscribeIncompletely();
    await stripe.subscriptions.cancel(subscription.id);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired');
    await expectInvalid(stripe.subscriptions.cancel(subscription.id), { code: 'resource_missing' });
  });
});

describe('a canceled subscription', () => {
  // "A canceled subscription can only update its cancellation_details and metadata": the refusal, as quoted
  // in https://github.com/fjordllc/bootcamp/issues/10095. "You can still update its metadata":
  // https://docs.stripe.com/api/subscriptions/cancel
  test('takes metadata, and refuses other changes with 400', async () => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.cancel(subscription.id);
    await expectInvalid(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }));
    const marked = await stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } });
    expect(marked).toMatchObject({ status: 'canceled', metadata: { ...metadata, closed: 'yes' } });
  });
});

describe('the metadata of a subscription', () => {
  // "Individual keys can be unset by posting an empty value to them": https://docs.stripe.com/api/metadata
  test('keeps the keys that a change doesn’t name, and loses a key that is set to nothing', async () => {
    const { subscription } = await subscribe();
    const marked = await stripe.subscriptions.update(subscription.id, {
      metadata: { ended: 'duplicate' },
    });
    expect(marked.metadata).toEqual({ ...metadata, ended: 'duplicate' });
    const cleared = await stripe.subscriptions.update(subscription.id, { metadata: { ended: '' } });
    expect(cleared.metadata).toEqual(metadata);
  });
});

describe('the card of a subscription', () => {
  // "If neither are set, invoices will use the customer's invoice_settings.default_payment_method":
  // https://docs.stripe.com/api/subscriptions/object#subscription_object-default_payment_method
  // "You can clear the Subscription setting by sending an empty string":
  // https://stackoverflow.com/a/76282845
  test('gives way to the customer’s when it is removed', async () => {
    const { customer, subscription } = await subscribe();
    const own = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    const withCard = await stripe.subscriptions.update(subscription.id, {
      default_payment_method: own.id,
    });
    expect(withCard.default_payment_method).toBe(own.id);
    const without = await stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    expect(without.default_payment_method).toBeNull();
  });

  // https://docs.stripe.com/expand: up to four levels. https://docs.stripe.com/api/payment_methods/object
  test('comes with its brand, last digits and expiry if it is expanded, as does the customer’s', async () => {
    const { customer, subscription } = await subscribe();
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } });
    const read = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
    });
    const card = {
      brand: 'mastercard',
      last4: '4444',
      exp_month: expect.any(Number) as number,
      exp_year: expect.any(Number) as number,
      wallet: null,
    };
    expect(read.customer).toMatchObject({
      invoice_settings: { default_payment_method: { id, type: 'card', card } },
    });
    const own = await stripe.subscriptions.update(subscription.id, {
      default_payment_method: id,
      expand: ['default_payment_method'],
    });
    expect(own.default_payment_method).toMatchObject({ id, type: 'card', card });
  });
});
