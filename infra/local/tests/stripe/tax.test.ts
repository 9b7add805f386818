import { expect, test } from 'vitest';
import { DAY, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe(async () => stripe.prices.update((await world.monthlyPrice()).id, { tax_behavior: 'inclusive' }));

const taxed = {
  automatic_tax: { enabled: true },
  tax_id_collection: { enabled: true },
  customer_update: { name: 'auto', address: 'auto' },
} as const;

/** A session that a buyer in this country has paid, its subscription and its invoices, newest first. */
async function buyFrom(country: string, taxId = '') {
  const { customer, session: open } = await world.openCheckout(taxed);
  await world.submitCard(open, { country, taxId });
  const session = await stripe.checkout.sessions.retrieve(open.id, { expand: ['subscription'] });
  if (typeof session.subscription !== 'object' || !session.subscription)
    throw new Error('Nothing was bought.');
  const { id } = session.subscription;
  return {
    customer,
    session,
    subscription: () => stripe.subscriptions.retrieve(id),
    invoices: async () => (await stripe.invoices.list({ customer: customer.id })).data,
  };
}

test.each([
  ['DE', '', 80, 'standard_rated'],
  ['AU', '', 45, 'standard_rated'],
  ['US', '', 0, 'not_collecting'],
  ['FR', 'FR12345678901', 0, 'reverse_charge'],
])(
  'a buyer in %s with the tax id "%s" pays the price, of which %i cents are tax (%s)',
  async (country, taxId, tax, reason) => {
    const { session, invoices } = await buyFrom(country, taxId);
    expect(session).toMatchObject({
      amount_total: 500,
      total_details: { amount_tax: tax },
      automatic_tax: { enabled: true, status: 'complete' },
    });
    expect(await invoices()).toMatchObject([
      {
        amount_paid: 500,
        total: 500,
        total_excluding_tax: 500 - tax,
        total_taxes: [{ amount: tax, tax_behavior: 'inclusive', taxability_reason: reason }],
        customer_address: { country },
      },
    ]);
  },
);

test('a renewal has the taxes of the customer’s place by then', async () => {
  const { customer, invoices } = await buyFrom('DE');
  await stripe.customers.update(customer.id, { address: { country: 'AU' } });
  await world.clock.advance(32 * DAY);
  expect((await invoices()).map(({ total, total_taxes: taxes }) => [total, taxes?.[0]?.amount])).toEqual([
    [500, 45],
    [500, 80],
  ]);
});

test('a renewal of a customer without a place is charged without taxes, which end with it', async () => {
  const { customer, invoices, subscription } = await buyFrom('DE');
  await stripe.customers.update(customer.id, { address: '' });
  await world.clock.advance(32 * DAY);
  const [renewal] = await invoices();
  expect(renewal).toMatchObject({
    status: 'paid',
    total: 500,
    total_taxes: [],
    automatic_tax: { enabled: false, disabled_reason: 'finalization_requires_location_inputs' },
  });
  expect((await subscription()).automatic_tax).toMatchObject({
    enabled: false,
    disabled_reason: 'requires_location_inputs',
  });
});

test('a subscription from before gets its taxes with the next renewal, at the same price', async () => {
  const { customer, session: open } = await world.openCheckout();
  await world.submitCard(open);
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  await stripe.customers.update(customer.id, { address: { country: 'DE' } });
  await stripe.subscriptions.update(subscription?.id ?? '', { automatic_tax: { enabled: true } });
  await world.clock.advance(32 * DAY);
  const { data } = await stripe.invoices.list({ customer: customer.id });
  expect(data.map(({ total, total_taxes: taxes }) => [total, taxes?.[0]?.amount])).toEqual([
    [500, 80],
    [500, undefined],
  ]);
});

test('the form shows the taxes of each country, and an invoice its own', async () => {
  const { session } = await world.openCheckout(taxed);
  const form = await (await fetch(`${world.origin}/embedded/${session.client_secret}`)).text();
  expect(form).toContain('data-taxes="Includes $0.80 tax."');
  await world.submitCard(session, { country: 'DE' });
  const [invoice] = (await stripe.invoices.list()).data;
  expect(await (await fetch(invoice?.hosted_invoice_url ?? '')).text()).toMatch(
    /Tax, included<\/td>\s+<td>\$0\.80/,
  );
});

test('a session is refused whose taxes could not be computed, or would be added to the price', async () => {
  await expect(world.openCheckout({ automatic_tax: { enabled: true } })).rejects.toMatchObject({
    code: 'customer_tax_location_invalid',
  });
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
    product_data: { name: 'Plus' },
    tax_behavior: 'exclusive',
  });
  const line_items = [{ price: price.id, quantity: 1 }];
  await expect(world.openCheckout({ ...taxed, line_items })).rejects.toMatchObject({ param: 'line_items' });
  await expect(stripe.prices.update(price.id, { tax_behavior: 'inclusive' })).rejects.toMatchObject({
    param: 'tax_behavior',
  });
});
