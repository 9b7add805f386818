import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { refusalOf, stripe, useStripe, world } from '../fixtures/stripe.ts';

// Refusals from Stripe's reference for the product's calls. Other refusals are in the other files here.

useStripe();

const returnUrl = 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}';

test.each<[string, (stripe: Stripe) => Promise<unknown>, number, string]>([
  ['a subscription', (to) => to.subscriptions.update('sub_none', { cancel_at_period_end: true }), 404, 'id'],
  ['a session', (to) => to.checkout.sessions.expire('cs_test_none'), 404, 'session'],
  ['an invoice', (to) => to.invoices.pay('in_none'), 404, 'invoice'],
  [
    'a portal’s customer',
    (to) => to.billingPortal.sessions.create({ customer: 'cus_none' }),
    400,
    'customer',
  ],
  [
    'a price’s product',
    (to) => to.prices.create({ currency: 'usd', unit_amount: 500, product: 'prod_none' }),
    400,
    'product',
  ],
])('%s that doesn’t exist is missing, in a path or in a parameter', async (_, ask, statusCode, param) => {
  const missing = { type: 'StripeInvalidRequestError', code: 'resource_missing' };
  expect(await refusalOf(ask(stripe))).toMatchObject({ ...missing, statusCode, param });
});

describe('parameters', () => {
  const prefix = 'of the wrong kind are refused by name:';

  test.each<[string, (stripe: Stripe) => Promise<unknown>, Record<string, unknown>]>([
    [
      'a type and types of events',
      (to) => to.events.list({ type: 'invoice.paid', types: ['invoice.*'] }),
      { param: 'type' },
    ],
    [
      'a moment that is none',
      (to) => to.events.list({ created: { gte: 'yesterday' as unknown as number } }),
      { param: 'created[gte]' },
    ],
    [
      'metadata under a key of forty-one letters',
      (to) => to.customers.create({ metadata: { ['k'.repeat(41)]: 'v' } }),
      {},
    ],
    [
      'metadata of more than five hundred letters',
      (to) => to.customers.create({ metadata: { user_id: 'v'.repeat(501) } }),
      {},
    ],
    [
      'metadata under fifty-one keys',
      (to) =>
        to.customers.create({
          metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v'])),
        }),
      { param: 'metadata' },
    ],
    [
      'a reason that no refund has',
      (to) => to.refunds.create({ charge: 'ch_1', reason: 'bored' as 'duplicate' }),
      { param: 'reason' },
    ],
    [
      'a price below nothing',
      (to) => to.prices.create({ currency: 'usd', unit_amount: -1, product_data: { name: 'Plus' } }),
      { param: 'unit_amount' },
    ],
    [
      'a price of a product and a new one',
      (to) =>
        to.prices.create({
          currency: 'usd',
          unit_amount: 500,
          product: 'prod_1',
          product_data: { name: 'Plus' },
        }),
      { param: 'product' },
    ],
  ])(`${prefix} %s`, async (_, ask, said) => {
    expect(await refusalOf(ask(stripe))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...said,
    });
  });

  test.each<[string, Partial<Stripe.Checkout.SessionCreateParams>, Record<string, unknown>]>([
    ['none of anything', { line_items: [] }, {}],
    [
      'no quantity',
      { line_items: [{ price: 'price_1', quantity: 0 }] },
      { param: 'line_items[0][quantity]' },
    ],
    ['a way back that is no address', { return_url: 'back' }, { param: 'return_url', code: 'url_invalid' }],
    ['the old name of its page', { ui_mode: 'embedded' }, { param: 'ui_mode' }],
    ['a page of the hosted mode', { success_url: returnUrl }, { param: 'success_url' }],
    ['a page to cancel at', { cancel_url: returnUrl }, { param: 'cancel_url' }],
    ['a customer that doesn’t exist', { customer: 'cus_none' }, { param: 'customer' }],
    [
      'a price that doesn’t exist',
      { line_items: [{ price: 'price_none', quantity: 1 }] },
      { code: 'resource_missing', param: 'line_items[0][price]' },
    ],
  ])('of a checkout with %s are refused', async (_, params, said) => {
    const refusal = await refusalOf(world.openCheckout(params));
    expect(refusal).toMatchObject({ statusCode: 400, ...said });
  });

  test('a checkout needs its mode, a way back, and a price that recurs', async () => {
    const line_items = [{ price: (await world.monthlyPrice()).id, quantity: 1 }];
    const customer = (await stripe.customers.create()).id;
    const rest = { customer, ui_mode: 'embedded_page' as const, return_url: returnUrl };
    expect(await refusalOf(stripe.checkout.sessions.create({ ...rest, line_items }))).toMatchObject({
      code: 'parameter_missing',
      param: 'mode',
    });
    for (const [params, param] of [
      [{ line_items }, 'return_url'],
      [{ return_url: returnUrl }, 'line_items'],
    ] as const) {
      const { return_url: _, ...session } = { ...rest, mode: 'subscription' as const };
      const refusal = refusalOf(stripe.checkout.sessions.create({ ...session, ...params }));
      expect(await refusal).toMatchObject({ code: 'parameter_missing', param });
    }
    const single = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      product_data: { name: 'A mug' },
    });
    expect(
      await refusalOf(world.openCheckout({ line_items: [{ price: single.id, quantity: 1 }] })),
    ).toMatchObject({ statusCode: 400, message: expect.stringContaining('recurring') as string });
  });
});

test('a refused request has no effects and no events', async () => {
  const { customer, subscription } = await world.subscribe();
  await world.service.allDelivered();
  const before = world.service.listEvents().length;

  await refusalOf(stripe.customers.update(customer.id, { name: 'Eve', email: 'nobody' }));
  await refusalOf(
    stripe.subscriptions.update(subscription.id, {
      metadata: { seen: 'yes' },
      default_payment_method: 'pm_none',
    }),
  );
  await refusalOf(world.openCheckout({ customer: customer.id, expires_at: world.now() }));

  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ email: 'ada@example.com' });
  expect((await stripe.subscriptions.retrieve(subscription.id)).metadata).toEqual({
    selfsame: 'test/user-1',
  });
  // The last checkout had created a customer first.
  expect(
    world.service
      .listEvents()
      .slice(0, -before)
      .filter(({ type }) => type !== 'customer.created'),
  ).toEqual([]);
});
