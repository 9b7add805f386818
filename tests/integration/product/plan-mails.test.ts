import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

/** The mails about a plan, with the amounts and days that Stripe's stand-in answers. */

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';

let world: BillingWorld;
let ada: User;

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let position = { from: new Date('2030-01-15T12:00:00Z') };
  const cursor = {
    read: async () => position,
    move: async (to: typeof position) => void (position = to),
  };
  world = await startBillingWorld(undefined, {
    stores: { plans: memoryPlans(), tasks: memoryTasks(), cursor },
    inProcess: true,
  });
  ada = await world.signUp();
});
afterEach(() => world.close());

/** Every webhook is lost: the schedules find what has happened. */
const pass = async (days: number) => {
  for (let day = 0; day < days; day += 1) {
    await world.advance(DAY);
    await world.catchUp();
    await world.sweep();
    await world.advance(HOUR / 10);
    await world.runTasks();
  }
};
const names = () => world.mail.sent.map(({ email }) => email.name);
const newest = () => world.mail.sent.at(-1)?.email.text;

test('a purchase, its renewals and its end have one mail each, with amount and day', async () => {
  await world.buy(ada);
  await pass(1);
  expect(names()).toEqual(['subscription-begun']);
  expect(newest()).toContain('You paid $5.00 on January 15, 2030.');
  expect(newest()).toContain('Plus costs $5.00 per month');
  expect(newest()).toContain('The next charge is on February 15, 2030.');
  await pass(31);
  expect(names().slice(1)).toEqual(['subscription-renewed']);
  expect(newest()).toContain('$5.00 was paid on February 15, 2030');
  expect(newest()).toContain('The next charge is on March 15, 2030.');
  await world.cancel(ada, (await world.rowOf(ada))?.stripe_subscription_id ?? '');
  expect(newest()).toContain('it lasts until March 15, 2030');
  await pass(29);
  expect(names().slice(2)).toEqual(['subscription-cancelled', 'subscription-ending', 'subscription-ended']);
  await pass(3);
  expect(names()).toHaveLength(5);
});

test('a renewal that fails has one mail with the next try, and one when Plus has ended', async () => {
  await world.buy(ada, FAILS_AT_RENEWALS);
  await pass(32);
  expect(names()).toEqual(['subscription-begun', 'payment-failed']);
  expect(newest()).toMatch(/pay \$5\.00 .*We will try again on February \d+, 2030\..*Pay \$5\.00: http/s);
  await pass(30);
  expect(names().slice(2)).toEqual(['subscription-ended']);
  expect(newest()).toContain('The payment for its renewal did not arrive');
});

test('of two purchases, one has a receipt and the other a refund', async () => {
  await world.buy(ada);
  const { stripe } = world.stripe;
  const [subscription] = await world.subscriptionsOf(ada);
  if (!subscription) throw new Error('There is no subscription.');
  const { customer, default_payment_method: method, metadata, items } = subscription;
  await stripe.subscriptions.create({
    customer: typeof customer === 'string' ? customer : customer.id,
    items: [{ price: items.data[0]?.price.id ?? '' }],
    metadata,
    ...(typeof method === 'string' && { default_payment_method: method }),
  });
  await pass(3);
  expect(names()).toEqual(['subscription-begun', 'payment-refunded']);
  expect(newest()).toContain('refunded $5.00');
});
