import { expect, test } from 'vitest';
import { DAY, enterCard, reload, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

test('a customer replaces the card for renewals on the billing page', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://localhost:3000/pricing',
  });
  expect(await (await fetch(portal.url)).text()).toContain('ending in 0341');

  const answer = await enterCard(`${portal.url}/card`);

  expect(await answer.json()).toEqual({ kind: 'done', returnUrl: 'http://localhost:3000/pricing' });
  await world.clock.advance(40 * DAY);
  expect((await reload(subscription)).status).toBe('active');
});

test('an invoice has a page at a secret address', async () => {
  const { customer } = await world.subscribe();
  const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data;

  const page = await fetch(invoice?.hosted_invoice_url ?? '');

  expect(await page.text()).toContain('$5.00');
  expect((await fetch(`${world.origin}/invoice/${invoice?.id}_guess`)).status).toBe(404);
});

test('the card update page changes only the customer’s card, and open invoices wait for their next attempt', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const configuration = await stripe.billingPortal.configurations.create({
    features: { payment_method_update: { enabled: true } },
  });
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration: configuration.id,
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost:3000/dashboard' } },
    },
  });

  const answer = await enterCard(`${portal.url}/card`);

  expect(await answer.json()).toEqual({ kind: 'done', returnUrl: 'http://localhost:3000/dashboard' });
  expect((await reload(subscription)).default_payment_method).toBe(subscription.default_payment_method);
  // The subscription's own card is used before the customer's.
  await world.clock.advance(32 * DAY);
  expect((await reload(subscription)).status).toBe('past_due');
});

test('a portal is refused without a feature, without its flow’s feature, and for an unknown configuration', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const { configurations, sessions } = stripe.billingPortal;
  await expect(configurations.create({ features: {} })).rejects.toMatchObject({ param: 'features' });
  const { id } = await configurations.create({ features: { invoice_history: { enabled: true } } });
  const flow_data = { type: 'payment_method_update' } as const;
  for (const type of ['payment_method_update', 'customer_update'] as const) {
    await expect(
      sessions.create({ customer: customer.id, configuration: id, flow_data: { type } }),
    ).rejects.toMatchObject({ param: 'flow_data[type]' });
  }
  await expect(sessions.create({ customer: customer.id, configuration: 'bpc_nobody' })).rejects.toMatchObject(
    { code: 'resource_missing' },
  );
  await expect(
    sessions.create({
      customer: customer.id,
      flow_data: { ...flow_data, after_completion: { type: 'redirect' } },
    }),
  ).rejects.toMatchObject({ code: 'parameter_missing' });
  expect((await configurations.list({ is_default: true })).data).toEqual([]);
});

test('a voided invoice cannot be paid on its page', async () => {
  const { customer } = await world.subscribe({ number: '4000 0000 0000 0341' });
  await world.clock.advance(32 * DAY);
  const [open] = (await stripe.invoices.list({ customer: customer.id })).data;
  await stripe.invoices.voidInvoice(open?.id ?? '');
  const pay = (address: string) => enterCard(`${address}/pay`);

  expect((await pay(open?.hosted_invoice_url ?? '')).status).toBe(400);
  expect((await pay(`${world.origin}/invoice/${open?.id}_guess`)).status).toBe(404);
  expect((await stripe.charges.list({ customer: customer.id })).data.filter(({ paid }) => paid)).toHaveLength(
    1,
  );
});
