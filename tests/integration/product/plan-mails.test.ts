import type { Stripe } from 'stripe';
import { expect, test as base, vi } from 'vitest';
import { PRICE, PRICE_WITH_CENTS } from '../../fixtures/fakes/main-offer.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';

/** The mails about a plan, with the amounts and days that Stripe's stand-in answers. */

const test = base.extend<MemoryFixtures>(billingInMemory({ inProcess: true }));

test('a purchase, its renewals and its end have one mail each, with amount and day', async ({ ada }) => {
  await ada.buy();
  await ada.pass(1);
  expect(ada.mails()).toEqual(['subscription-begun']);
  expect(ada.newestMail()).toContain(`You paid ${PRICE_WITH_CENTS} (USD) on January 15, 2030.`);
  expect(ada.newestMail()).toContain(`Plus costs ${PRICE_WITH_CENTS} per month`);
  expect(ada.newestMail()).toContain(`Next charge: ${PRICE_WITH_CENTS} on February 15, 2030.`);
  await ada.pass(31);
  expect(ada.mails().slice(1)).toEqual(['subscription-renewed']);
  expect(ada.newestMail()).toContain(`${PRICE_WITH_CENTS} was paid on February 15, 2030`);
  expect(ada.newestMail()).toContain(`Next charge: ${PRICE_WITH_CENTS} on March 15, 2030.`);
  await ada.cancel((await ada.row())?.stripe_subscription_id);
  expect(ada.newestMail()).toContain('You keep it until March 15, 2030');
  await ada.pass(29);
  expect(ada.mails().slice(2)).toEqual([
    'subscription-cancelled',
    'subscription-ending',
    'subscription-ended',
  ]);
  await ada.pass(3);
  expect(ada.mails()).toHaveLength(5);
});

test('a renewal that fails has one mail with the next try, and one when Plus has ended', async ({ ada }) => {
  await ada.buy('4000 0000 0000 0341');
  await ada.pass(32);
  expect(ada.mails()).toEqual(['subscription-begun', 'payment-failed']);
  expect(ada.newestMail()).toContain(`payment of ${PRICE_WITH_CENTS} `);
  expect(ada.newestMail()).toMatch(/Stripe tries again, next on February \d+, 2030\./);
  expect(ada.newestMail()).toContain(`Pay ${PRICE_WITH_CENTS}: http`);
  expect(await ada.planName()).toBe('plus');
  await ada.pass(30);
  expect(ada.mails().slice(2)).toEqual(['subscription-ended']);
  expect(ada.newestMail()).toContain('The payment for its renewal did not arrive');
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
  async ([, arrange, amounts, expected], { ada, world }) => {
    await ada.buy();
    await ada.pass(1);
    await arrange(ada);
    for (const amount of amounts) {
      const end = (await ada.subscription()).items.data[0]?.current_period_end ?? 0;
      await ada.pass(Math.floor((end - Date.now() / 1000) / 86_400) - 6);
      expect(await ada.standing()).toMatchObject({
        kind: 'renews',
        charges: [{ money: { amount } }],
      });
      await ada.pass(8);
      expect(await ada.invoice()).toMatchObject({ status: 'paid', amount_paid: amount });
      const receipts = world.mail.sent.filter(({ email }) => email.name === 'subscription-renewed');
      const receipt = receipts.at(-1)?.email.text ?? 'no receipt of $0.00 was paid';
      expect(receipt).toContain(`${inDollars(amount)} was paid`);
    }
    expect(ada.mails().slice(1)).toEqual(expected);
  },
);

test('a renewal that Stripe can’t finalize is late, and logged for an alarm', async ({ ada, world }) => {
  await ada.buy();
  world.stripe.service.changeCustomer(await ada.customer(), { finalizes: false });
  await ada.pass(33);
  expect(await ada.standing()).toMatchObject({ kind: 'pending', payment: 'delayed' });
  const logged = vi.mocked(console.error).mock.calls.map(([line]) => line);
  expect(logged).toMatchObject([{ event: 'invoice-not-finalized', user: ada.id }]);
});

test('a subscription collected by mailed invoices says so, and keeps them', async ({ ada, stripe }) => {
  await ada.buy();
  const { id } = await ada.subscription();
  await stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 10 });
  await ada.pass(35);
  const older = await ada.invoice();
  const standing = { kind: 'invoiced', payAt: older.hosted_invoice_url, endsAt: null };
  expect(await ada.standing()).toMatchObject(standing);
  await ada.pass(20);
  expect((await ada.subscription()).status).toBe('past_due');
  expect(await ada.standing()).toMatchObject(standing);
  expect(ada.mails()).toEqual(['subscription-begun']);
  await ada.cancel(id);
  await ada.pass(15);
  expect(ada.mails().slice(1)).toEqual([
    'subscription-cancelled',
    'subscription-ending',
    'subscription-ended',
  ]);
  expect((await stripe.invoices.retrieve(older.id)).status).toBe('open');
});

test('a payment for an older invoice that support had written off has a receipt', async ({ ada, stripe }) => {
  await ada.buy('4000 0000 0000 0341');
  await ada.pass(33);
  const written = await ada.invoice();
  await stripe.invoices.markUncollectible(written.id);
  await ada.pass(1);
  expect(ada.mails().slice(1)).toEqual(['payment-failed', 'subscription-kept']);
  await stripe.invoices.pay(written.id, { off_session: false });
  await ada.pass(1);
  expect(ada.mails().at(-1)).toBe('subscription-renewed');
  expect(ada.newestMail()).toContain(`${PRICE_WITH_CENTS} was paid on`);
});

test.for([
  ['4000 0000 0000 0341', 'Your bank declined it.'],
  ['4000 0027 6000 3184', 'Your bank wants you to confirm it.'],
])('the mail of a failed renewal says why: %s', async ([card = '', cause], { ada }) => {
  await ada.buy(card);
  await ada.pass(33);
  expect(ada.newestMail()).toContain(cause);
});
