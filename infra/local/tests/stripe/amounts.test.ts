import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY, HOUR, refusalOf, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

const coupon = (params: Stripe.CouponCreateParams): Promise<string> =>
  stripe.coupons.create(params).then(({ id }) => id);

const itemOf = ({ items }: Stripe.Subscription): string => items.data[0]?.id ?? '';

/** The three next renewals: what the preview says on the day before, and what is then taken. */
async function renewals({ id }: Stripe.Subscription): Promise<{ said: number; taken: number }[]> {
  const months: { said: number; taken: number }[] = [];
  for (let month = 0; month < 3; month += 1) {
    const before = await stripe.subscriptions.retrieve(id);
    const end = (before.items.data[0]?.current_period_end ?? 0) * 1000;
    await world.clock.advance(end - DAY - world.clock.now().getTime());
    const preview = await stripe.invoices.createPreview({ subscription: id });
    await world.clock.advance(DAY + 2 * HOUR);
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
    months.push({ said: preview.amount_due, taken: invoice?.amount_paid ?? -1 });
  }
  return months;
}

type Arrange = (subscription: Stripe.Subscription, customer: Stripe.Customer) => Promise<unknown>;

const discount = (id: string, params: Stripe.CouponCreateParams): Promise<unknown> =>
  coupon(params).then((half) => stripe.subscriptions.update(id, { discounts: [{ coupon: half }] }));

const arrangements: [string, Arrange, number[]][] = [
  ['nothing', async () => {}, [500, 500, 500]],
  ['half price once', ({ id }) => discount(id, { percent_off: 50, duration: 'once' }), [250, 500, 500]],
  [
    'half price for two months',
    ({ id }) => discount(id, { percent_off: 50, duration: 'repeating', duration_in_months: 2 }),
    [250, 250, 500],
  ],
  ['nothing to pay for ever', ({ id }) => discount(id, { percent_off: 100, duration: 'forever' }), [0, 0, 0]],
  [
    'two dollars off for ever',
    ({ id }) => discount(id, { amount_off: 200, currency: 'usd', duration: 'forever' }),
    [300, 300, 300],
  ],
  [
    'a coupon on the item',
    async (subscription) => {
      const half = await coupon({ percent_off: 50, duration: 'once' });
      const item = { id: itemOf(subscription), discounts: [{ coupon: half }] };
      await stripe.subscriptions.update(subscription.id, { items: [item] });
    },
    [250, 500, 500],
  ],
  [
    'a coupon on the customer',
    async (_, customer) => {
      const half = await coupon({ percent_off: 50, duration: 'once' });
      world.service.changeCustomer(customer.id, { coupon: half });
    },
    [250, 500, 500],
  ],
  [
    'a credit',
    (_, customer) => stripe.customers.update(customer.id, { balance: -700 }),
    // Stripe charges no less than fifty cents.
    [0, 300, 500],
  ],
  [
    'a debt below the least charge',
    ({ id }) => discount(id, { percent_off: 95, duration: 'once' }),
    [0, 525, 500],
  ],
  [
    'an added item',
    ({ currency }, customer) =>
      stripe.invoiceItems.create({ customer: customer.id, amount: 300, currency, description: 'Help' }),
    [800, 500, 500],
  ],
  [
    'two seats',
    (subscription) =>
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: itemOf(subscription), quantity: 2 }],
        proration_behavior: 'none',
      }),
    [1000, 1000, 1000],
  ],
];

test.each(arrangements)('a preview says what is then taken, with %s', async (_, arrange, amounts) => {
  const { customer, subscription } = await world.subscribe();
  await world.clock.advance(DAY);
  await arrange(subscription, customer);
  expect(await renewals(subscription)).toEqual(amounts.map((amount) => ({ said: amount, taken: amount })));
});

test('a preview has the next period, and the items that were added first', async () => {
  const { customer, subscription } = await world.subscribe();
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  for (const description of ['Older', 'Newer']) {
    await stripe.invoiceItems.create({ customer: customer.id, amount: 100, currency: 'usd', description });
  }

  const preview = await stripe.invoices.createPreview({ subscription: subscription.id });

  expect(preview).toMatchObject({
    id: expect.stringMatching(/^upcoming_in_/),
    amount_due: 700,
    billing_reason: 'upcoming',
    created: end,
    next_payment_attempt: end + 3600,
    status: 'draft',
  });
  expect(preview.lines.data.map(({ description, period }) => [description, period.start])).toEqual([
    ['Newer', expect.closeTo(world.now(), -1)],
    ['Older', expect.closeTo(world.now(), -1)],
    ['1 × Plus (at $5.00 / month)', end],
  ]);
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
});

test('there is no preview of a subscription that ends, is paused, or has ended', async () => {
  const { subscription } = await world.subscribe();
  const refused = () => refusalOf(stripe.invoices.createPreview({ subscription: subscription.id }));
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(await refused()).toMatchObject({ code: 'invoice_upcoming_none', statusCode: 404 });
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  await stripe.subscriptions.pause(subscription.id);
  expect(await refused()).toMatchObject({ code: 'invoice_upcoming_none' });
  await stripe.subscriptions.cancel(subscription.id);
  expect(await refused()).toMatchObject({ code: 'invoice_upcoming_none' });
});

test('a credit that is given while the invoice is a draft counts, and comes back when it is voided', async () => {
  const { customer, subscription } = await world.subscribe({ number: '4000 0000 0000 0341' });
  const end = (subscription.items.data[0]?.current_period_end ?? 0) * 1000;
  await world.clock.advance(end + 60_000 - world.clock.now().getTime());
  const [draft] = (await stripe.invoices.list({ customer: customer.id })).data;
  await stripe.customers.update(customer.id, { balance: -200 });
  const invoice = () => stripe.invoices.retrieve(draft?.id ?? '');
  expect(await invoice()).toMatchObject({ status: 'draft', amount_due: 300, starting_balance: -200 });
  await world.clock.advance(HOUR);
  expect(await invoice()).toMatchObject({ status: 'open', amount_due: 300, ending_balance: 0 });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 0 });

  await stripe.invoices.voidInvoice(draft?.id ?? '');

  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -200 });
});
