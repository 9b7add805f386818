import { expect, test as base } from 'vitest';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

/** The mails about a plan, with the amounts and days that Stripe's stand-in answers. */

interface MailFixtures extends MemoryFixtures {
  /** Every webhook is lost: the schedules find what has happened. */
  pass: (days: number) => Promise<void>;
  /** The names of the mails so far. */
  names: () => string[];
  /** The text of the newest mail. */
  newest: () => string | undefined;
}

const test = base.extend<MailFixtures>({
  ...billingInMemory({ inProcess: true }),
  pass: ({ world }, use) =>
    use(async (days) => {
      for (let day = 0; day < days; day += 1) {
        await world.advance(DAY);
        await world.catchUp();
        await world.sweep();
        await world.advance(HOUR / 10);
        await world.runTasks();
      }
    }),
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
  expect(newest()).toContain('You paid $5.00 on January 15, 2030.');
  expect(newest()).toContain('Plus costs $5.00 per month');
  expect(newest()).toContain('The next charge is on February 15, 2030.');
  await pass(31);
  expect(names().slice(1)).toEqual(['subscription-renewed']);
  expect(newest()).toContain('$5.00 was paid on February 15, 2030');
  expect(newest()).toContain('The next charge is on March 15, 2030.');
  await ada.cancel((await ada.row())?.stripe_subscription_id);
  expect(newest()).toContain('it lasts until March 15, 2030');
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
  expect(newest()).toMatch(/pay \$5\.00 .*We will try again on February \d+, 2030\..*Pay \$5\.00: http/s);
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
  expect(newest()).toContain('refunded $5.00');
});
