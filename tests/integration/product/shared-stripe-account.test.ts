import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { agreementMetadata, agreementToday } from '../../../functions/domain/agreement.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { MemoryEventCursor } from '../../simulation/world/memory-event-cursor.ts';
import { type MemoryPlans, memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

let world: BillingWorld;
let plans: MemoryPlans;
let ada: User;
let customer: string;

beforeEach(async () => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  plans = memoryPlans();
  const stores = { plans, cursor: new MemoryEventCursor(), tasks: memoryTasks() };
  world = await startBillingWorld('2030-01-15T12:00:00Z', { stores });
  ada = await world.signUp();
  await world.buy(ada);
  customer = String(plans.rows.get(ada.id)?.billing_customer_id);
});
afterEach(() => world.close());

const stripe = () => world.stripe.stripe;

const row = (): UserPlan => {
  const stored = plans.rows.get(ada.id);
  if (!stored) throw new Error('The row is gone.');
  return stored;
};

/** A sale of another product, with its own metadata. */
async function sell(
  to: string,
  { metadata = {}, amount = 9900 }: { metadata?: Record<string, string>; amount?: number } = {},
): Promise<Stripe.Subscription> {
  const price = await stripe().prices.create({
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval: 'month' },
    product_data: { name: 'Another product' },
  });
  const { id } = await stripe().paymentMethods.attach('pm_card_visa', { customer: to });
  return stripe().subscriptions.create({
    customer: to,
    items: [{ price: price.id }],
    default_payment_method: id,
    metadata,
  });
}

/** A customer of another product, with a subscription. */
async function strangerWith(
  metadata: Record<string, string>,
): Promise<{ customer: string; subscription: string }> {
  const stranger = await stripe().customers.create({ email: 'stranger@example.com', metadata });
  const { id } = await sell(stranger.id, { metadata });
  return { customer: stranger.id, subscription: id };
}

const isDeleted = async (id: string): Promise<boolean> =>
  (await stripe().customers.retrieve(id)).deleted === true;
const statusOf = async (id: string): Promise<string> => (await stripe().subscriptions.retrieve(id)).status;
const refunds = async (): Promise<number> => (await stripe().refunds.list({ limit: 100 })).data.length;

/** Past the next renewal, with the hourly schedules around it. */
async function passTheRenewal(): Promise<void> {
  await world.advance(25 * DAY);
  for (let hour = 0; hour < 4; hour += 1) {
    await world.advance(HOUR);
    await world.catchUp();
    await world.runTasks();
  }
  await world.advance(7 * DAY);
  await world.catchUp();
  await world.runTasks();
}

describe('a stranger’s customer in the same Stripe account', () => {
  test.each([
    ['whose metadata names a user of another product', { user_id: '42' }],
    ['with the mark of another stage', markOf('staging', 'somebody')],
    ['with the mark of a laptop', markOf('local-1a2b3c4d', 'somebody')],
    ['with a product and a stage in its metadata', { user_id: '42', product: 'x', stage: STAGE }],
  ])('%s keeps its subscription', async (_, metadata) => {
    const stranger = await strangerWith(metadata);
    await passTheRenewal();
    expect(await statusOf(stranger.subscription)).toBe('active');
    expect(await isDeleted(stranger.customer)).toBe(false);
    expect([...plans.rows.keys()]).toEqual([ada.id]);
    expect(await refunds()).toBe(0);
  });

  test('with copied metadata of a customer of ours keeps its subscription when that user leaves', async () => {
    const copied = (await stripe().customers.retrieve(customer)) as Stripe.Customer;
    const copy = await stripe().customers.create({ metadata: copied.metadata });
    const { id } = await sell(copy.id);
    await world.dependencies.pool.remove(ada.id);
    await passTheRenewal();
    expect(await isDeleted(customer)).toBe(true);
    expect(await statusOf(id)).toBe('active');
    expect(await isDeleted(copy.id)).toBe(false);
  });
});

describe('a customer of ours who also pays for another product', () => {
  test('has Plus by our subscription alone, and both go on', async () => {
    const theirs = await sell(customer);
    const ours = String(row().stripe_subscription_id);
    await stripe().subscriptions.cancel(ours);
    await world.stripe.service.allDelivered();
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'free' });
    expect(await statusOf(theirs.id)).toBe('active');
  });

  test('keeps the other subscription, and the customer, when the account is deleted', async () => {
    const ours = String(row().stripe_subscription_id);
    const theirs = await sell(customer, { metadata: { user_id: '42' } });
    expect(await world.deleteAccount(ada)).toMatchObject({ status: 200, body: { subscriptionEnded: true } });
    expect(await statusOf(ours)).toBe('canceled');
    expect(await statusOf(theirs.id)).toBe('active');
    expect(await isDeleted(customer)).toBe(false);
    // Nothing of ours acts on the customer any more.
    await passTheRenewal();
    expect(await statusOf(theirs.id)).toBe('active');
    expect(await world.dependencies.billing.ownerOf(customer)).toEqual({ kind: 'foreign' });
  });

  test('is not taken for an orphan when the other product writes its own user_id', async () => {
    await stripe().customers.update(customer, { metadata: { user_id: '42' } });
    await passTheRenewal();
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'plus' });
    expect(await isDeleted(customer)).toBe(false);
  });

  test('gets nothing back that was paid for the other product', async () => {
    const theirs = await sell(customer);
    const { billing } = world.dependencies;
    await billing.refundSince(customer, row(), new Date('2030-01-01T00:00:00Z'));
    const { data } = await stripe().invoices.list({ subscription: theirs.id });
    expect(data.map(({ status }) => status)).toEqual(['paid']);
    expect(await refunds()).toBe(1);
  });

  test('keeps the card of the other subscription when the card for Plus is changed', async () => {
    const theirs = await sell(customer);
    const address = 'https://selfsame.example/dashboard';
    await world.dependencies.billing.portalUrl(customer, row(), {
      page: 'card',
      back: address,
      done: address,
    });
    expect((await stripe().subscriptions.retrieve(theirs.id)).default_payment_method).toBe(
      theirs.default_payment_method,
    );
  });
});

describe('what support makes', () => {
  test('with our price gives Plus, and ends with the account', async () => {
    const [ours] = (await world.subscriptionsOf(ada)) as [Stripe.Subscription];
    await stripe().subscriptions.cancel(ours.id);
    const made = await stripe().subscriptions.create({
      customer,
      items: [{ price: String(ours.items.data[0]?.price.id) }],
      default_payment_method: ours.default_payment_method as string,
    });
    await world.stripe.service.allDelivered();
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'plus', stripeSubscriptionId: made.id });
    await world.deleteAccount(ada);
    expect(await statusOf(made.id)).toBe('canceled');
    expect(await isDeleted(customer)).toBe(true);
  });
});

describe('a customer from before the mark', () => {
  /** Takes the marks away, and names the user as before. */
  async function unmark(): Promise<string> {
    const before = Object.fromEntries(Object.keys(markOf(STAGE)).map((key) => [key, '']));
    const subscription = String(row().stripe_subscription_id);
    const metadata = { ...before, user_id: ada.id };
    await stripe().subscriptions.update(subscription, { metadata });
    await stripe().customers.update(customer, { metadata });
    return subscription;
  }

  test('keeps Plus, and gets its mark with its subscription', async () => {
    const subscription = await unmark();
    await passTheRenewal();
    expect((await world.plan(ada)).body).toMatchObject({ plan: 'plus' });
    expect(await stripe().customers.retrieve(customer)).toMatchObject({ metadata: markOf(STAGE, ada.id) });
    expect((await stripe().subscriptions.retrieve(subscription)).metadata).toMatchObject(
      markOf(STAGE, ada.id),
    );
  });

  test('ends when the user deletes the account before that', async () => {
    const subscription = await unmark();
    expect(await world.deleteAccount(ada)).toMatchObject({ status: 200 });
    expect(await statusOf(subscription)).toBe('canceled');
    expect(await isDeleted(customer)).toBe(true);
  });

  test('ends when the user has left the pool before that', async () => {
    const subscription = await unmark();
    await world.dependencies.pool.remove(ada.id);
    await passTheRenewal();
    expect(await statusOf(subscription)).toBe('canceled');
    expect(await isDeleted(customer)).toBe(true);
  });

  test('of another stage is left alone, even where the row names it', async () => {
    const subscription = String(row().stripe_subscription_id);
    const metadata = markOf('production', ada.id);
    await stripe().subscriptions.update(subscription, { metadata });
    await stripe().customers.update(customer, { metadata });
    await world.deleteAccount(ada);
    expect(await statusOf(subscription)).toBe('active');
    expect(await stripe().customers.retrieve(customer)).toMatchObject({ metadata });
    expect(await isDeleted(customer)).toBe(false);
  });

  test('of another stage is not deleted without a subscription either', async () => {
    await stripe().subscriptions.cancel(String(row().stripe_subscription_id));
    await stripe().customers.update(customer, { metadata: markOf('production', ada.id) });
    await world.deleteAccount(ada);
    expect(await isDeleted(customer)).toBe(false);
  });
});

test('everything that is made at Stripe carries the mark of the stage', async () => {
  await world.dependencies.billing.portalUrl(customer, row(), {
    page: 'card',
    back: 'https://a.b',
    done: 'https://a.b',
  });
  const [subscription] = (await world.subscriptionsOf(ada)) as [Stripe.Subscription];
  const [paid] = (await stripe().invoices.list({ customer })).data as [Stripe.Invoice];
  await world.dependencies.billing.refundSince(customer, row(), new Date('2030-01-01T00:00:00Z'));
  const [price] = (await stripe().prices.list({ expand: ['data.product'] })).data;
  const [configuration] = (await stripe().billingPortal.configurations.list()).data;
  const [session] = (await stripe().checkout.sessions.list({ customer })).data;
  const [refund] = (await stripe().refunds.list()).data;
  const mine = markOf(STAGE, ada.id);
  expect(paid.status).toBe('paid');
  expect(await stripe().customers.retrieve(customer)).toMatchObject({ metadata: mine });
  const bought = { ...mine, ...agreementMetadata(agreementToday) };
  expect(subscription.metadata).toEqual(bought);
  expect(session?.metadata).toEqual(bought);
  expect(refund?.metadata).toEqual(mine);
  const product = price?.product as Stripe.Product | undefined;
  for (const made of [price, product, configuration]) {
    expect(made?.metadata).toMatchObject(markOf(STAGE));
  }
});

test('the nightly comparison reads our running subscriptions, of this stage, and no others', async () => {
  await sell(customer);
  await sell(customer, { metadata: markOf('another-stage', ada.id) });
  const bea = await world.signUp();
  await world.buy(bea);
  const [ended] = await world.subscriptionsOf(bea);
  await stripe().subscriptions.cancel(String(ended?.id));
  const users: unknown[] = [];
  for await (const { userId } of world.dependencies.billing.running()) users.push(userId);
  expect(users).toEqual([ada.id]);
});
