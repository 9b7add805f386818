import type { Stripe } from 'stripe';
import { expect, test as base, vi } from 'vitest';
import { PRICE, PRICE_WITH_CENTS } from '../../fixtures/fakes/main-offer.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';

/** The mails about a plan, with the amounts and days that Stripe's stand-in answers. */

interface MailFixtures extends MemoryFixtures {
  /** The names of the mails so far. */
  names: () => string[];
  /** The text of the newest mail. */
  newest: () => string | undefined;
}

const test = base.extend<MailFixtures>({
  ...billingInMemory({ inProcess: true }),
  names: ({ world }, use) => use(() => world.mail.sent.map(({ email }) => email.name)),
  newest: ({ world }, use) => use(() => world.mail.sent.at(-1)?.email.text),
});

test('a purchase, its renewals and its end have one mail each, with amount and day', async ({
  ada,
  pass,
  names,
  newest,
}) => {
  await ada.buy();
  await pass(1);
  expect(names()).toEqual(['subscription-begun']);
  expect(newest()).toContain(`You paid ${PRICE_WITH_CENTS} (USD) on January 15, 2030.`);
  expect(newest()).toContain(`Plus costs ${PRICE_WITH_CENTS} per month`);
  expect(newest()).toContain(`Next charge: ${PRICE_WITH_CENTS} on February 15, 2030.`);
  await pass(31);
  expect(names().slice(1)).toEqual(['subscription-renewed']);
  expect(newest()).toContain(`${PRICE_WITH_CENTS} was paid on February 15, 2030`);
  expect(newest()).toContain(`Next charge: ${PRICE_WITH_CENTS} on March 15, 2030.`);
  await ada.cancel((await ada.row())?.stripe_subscription_id);
  expect(newest()).toContain('You keep it until March 15, 2030');
  await pass(29);
  expect(names().slice(2)).toEqual(['subscription-cancelled', 'subscription-ending', 'subscription-ended']);
  await pass(3);
  expect(names()).toHaveLength(5);
});

test('a renewal that fails has one mail with the next try, and one when Plus has ended', async ({
  ada,
  pass,
  names,
  newest,
}) => {
  await ada.buy('4000 0000 0000 0341');
  await pass(32);
  expect(names()).toEqual(['subscription-begun', 'payment-failed']);
  expect(newest()).toContain(`payment of ${PRICE_WITH_CENTS} `);
  expect(newest()).toMatch(/Stripe tries again, next on February \d+, 2030\./);
  expect(newest()).toContain(`Pay ${PRICE_WITH_CENTS}: http`);
  expect(await ada.planName()).toBe('plus');
  await pass(30);
  expect(names().slice(2)).toEqual(['subscription-ended']);
  expect(newest()).toContain('The payment for its renewal did not arrive');
});

test('of two purchases, one has a receipt and the other a refund', async ({
  world,
  ada,
  pass,
  names,
  newest,
}) => {
  await ada.buy();
  const { metadata, items } = await ada.subscription();
  await world.sell(await ada.customer(), { price: String(items.data[0]?.price.id), metadata });
  await pass(3);
  expect(names()).toEqual(['subscription-begun', 'payment-refunded']);
  expect(newest()).toContain(`refunded ${PRICE_WITH_CENTS}`);
});

/** Support's arrangements, the amounts of the next three renewals, and the mails about them. */
const arrangements: [string, (ada: MemoryFixtures['ada']) => Promise<unknown>, number[], string[]][] = [
  [
    'a coupon for one month',
    (ada) => discount(ada, { percent_off: 50, duration: 'once' }),
    [PRICE / 2, PRICE, PRICE],
    ['subscription-renewed', 'subscription-renewed', 'subscription-renewed'],
  ],
  [
    'a coupon for a free month',
    (ada) => discount(ada, { percent_off: 100, duration: 'once' }),
    [0, PRICE, PRICE],
    ['subscription-renewed', 'subscription-renewed'],
  ],
  [
    'credit',
    async ({ stripe, customer }) => stripe.customers.update(await customer(), { balance: -200 }),
    [PRICE - 200, PRICE, PRICE],
    ['subscription-renewed', 'subscription-renewed', 'subscription-renewed'],
  ],
  [
    'an added item',
    async ({ stripe, customer }) =>
      stripe.invoiceItems.create({ customer: await customer(), amount: 300, currency: 'usd' }),
    [PRICE + 300, PRICE, PRICE],
    ['subscription-terms', 'subscription-renewed', 'subscription-renewed', 'subscription-renewed'],
  ],
];

async function discount({ stripe, subscription }: MemoryFixtures['ada'], coupon: Stripe.CouponCreateParams) {
  const { id } = await stripe.coupons.create({ ...coupon });
  return stripe.subscriptions.update((await subscription()).id, { discounts: [{ coupon: id }] });
}

const inDollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

test.for(arrangements)(
  'with %s, the page and the mails name what Stripe takes, and a higher charge is announced a week before',
  async ([, arrange, amounts, expected], { ada, world, pass, names }) => {
    await ada.buy();
    await pass(1);
    await arrange(ada);
    for (const amount of amounts) {
      const end = (await ada.subscription()).items.data[0]?.current_period_end ?? 0;
      await pass(Math.floor((end - Date.now() / 1000) / 86_400) - 6);
      expect((await ada.billing()).body['standing']).toMatchObject({
        kind: 'renews',
        charges: [{ money: { amount } }],
      });
      await pass(8);
      expect(await ada.invoice()).toMatchObject({ status: 'paid', amount_paid: amount });
      const receipts = world.mail.sent.filter(({ email }) => email.name === 'subscription-renewed');
      const receipt = receipts.at(-1)?.email.text ?? 'no receipt of $0.00 was paid';
      expect(receipt).toContain(`${inDollars(amount)} was paid`);
    }
    expect(names().slice(1)).toEqual(expected);
  },
);

test('an item that support adds two days before a renewal is announced on the same day', async ({
  ada,
  stripe,
  pass,
  names,
  newest,
}) => {
  await ada.buy();
  await pass(29);
  await stripe.invoiceItems.create({ customer: await ada.customer(), amount: 300, currency: 'usd' });
  await pass(1);
  expect(names().slice(1)).toEqual(['subscription-terms']);
  expect(newest()).toContain(`Next charge: ${inDollars(PRICE + 300)} on February 15, 2030.`);
  await pass(3);
  expect(await ada.invoice()).toMatchObject({ status: 'paid', amount_paid: PRICE + 300 });
});

test('a renewal that Stripe can’t finalize is told as late, and logged for an alarm', async ({
  ada,
  world,
  pass,
}) => {
  await ada.buy();
  world.stripe.service.changeCustomer(await ada.customer(), { finalizes: false });
  await pass(33);
  expect((await ada.billing()).body['standing']).toMatchObject({ kind: 'pending', payment: 'delayed' });
  const logged = vi.mocked(console.error).mock.calls.map(([line]) => line);
  expect(logged).toMatchObject([{ event: 'invoice-not-finalized', user: ada.id }]);
});

test('a subscription that Stripe collects by mailed invoices says so, ends nothing by itself, and keeps them to be paid', async ({
  ada,
  stripe,
  pass,
  names,
}) => {
  await ada.buy();
  const { id } = await ada.subscription();
  await stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 10 });
  await pass(35);
  const older = await ada.invoice();
  const standing = { kind: 'invoiced', payAt: older.hosted_invoice_url, endsAt: null };
  expect((await ada.billing()).body['standing']).toMatchObject(standing);
  await pass(20);
  expect((await ada.subscription()).status).toBe('past_due');
  expect((await ada.billing()).body['standing']).toMatchObject(standing);
  expect(names()).toEqual(['subscription-begun']);
  await ada.cancel(id);
  await pass(15);
  expect(names().slice(1)).toEqual(['subscription-cancelled', 'subscription-ending', 'subscription-ended']);
  expect((await stripe.invoices.retrieve(older.id)).status).toBe('open');
});

test('a payment for an older invoice, which support had written off, has a receipt', async ({
  ada,
  stripe,
  pass,
  names,
  newest,
}) => {
  await ada.buy('4000 0000 0000 0341');
  await pass(33);
  const written = await ada.invoice();
  await stripe.invoices.markUncollectible(written.id);
  await pass(1);
  expect(names().slice(1)).toEqual(['payment-failed', 'subscription-kept']);
  await stripe.invoices.pay(written.id, { off_session: false });
  await pass(1);
  expect(names().at(-1)).toBe('subscription-renewed');
  expect(newest()).toContain(`${PRICE_WITH_CENTS} was paid on`);
});

test.for([
  ['4000 0000 0000 0341', 'Your bank declined it.'],
  ['4000 0027 6000 3184', 'Your bank wants you to confirm it.'],
])('the mail of a failed renewal says why: %s', async ([card = '', cause], { ada, pass, newest }) => {
  await ada.buy(card);
  await pass(33);
  expect(newest()).toContain(cause);
});
