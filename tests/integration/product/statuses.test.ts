import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readBilling } from '../../../functions/api/billing.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import {
  isMailTask,
  memoryPlans,
  memoryTasks,
  type MemoryTasks,
} from '../../fixtures/fakes/memory-adapters.ts';

/** States that outlast Stripe's usual course, or that support causes in Stripe's dashboard. */

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';
const SETTLES_LATER = '4000 0099 9900 0014';
const FAILS_LATER = '4000 0099 9900 0022';

let world: BillingWorld;
let stripe: Stripe;
let tasks: MemoryTasks;
let ada: User;

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  tasks = memoryTasks();
  const position = { from: new Date('2030-01-15T12:00:00Z') };
  const cursor = { read: async () => position, move: async () => {} };
  world = await startBillingWorld(undefined, {
    stores: { plans: memoryPlans(), tasks, cursor },
    inProcess: true,
  });
  stripe = world.stripe.stripe;
  ada = await world.signUp();
});
afterEach(() => world.close());

/** As after a webhook. */
const decide = async () => reconcile(world.dependencies, ada.id, new Date(), { trigger: 'test' });
/** The work that is left, apart from mails. */
const work = () => [...tasks.items.values()].filter((task) => !isMailTask(task)).map((task) => task.work);
const planOf = async () => (await world.rowOf(ada))?.plan;
const subscription = async (): Promise<Stripe.Subscription> => {
  const [first] = await world.subscriptionsOf(ada);
  if (!first) throw new Error('There is no subscription.');
  return first;
};
const invoice = async (): Promise<Stripe.Invoice> => {
  const { latest_invoice: latest } = await subscription();
  return stripe.invoices.retrieve(typeof latest === 'string' ? latest : '');
};
const billingPage = async () => (await world.ask(readBilling(world.dependencies), ada)).body;
const amounts = async () => {
  const { data } = await stripe.charges.list({ limit: 100 });
  return data.map(({ paid, amount, amount_refunded: refunded }) => (paid ? amount - refunded : 0));
};

const buy = async (card?: string) => {
  await world.buy(ada, card);
  await decide();
};

/** Each day, the schedule of the tasks runs. */
const pass = async (days: number) => {
  for (let day = 0; day < days; day += 1) {
    await world.advance(DAY);
    await world.runTasks();
  }
};

describe('a subscription that stays past due', () => {
  /** Stripe no longer tries, as after the last try with the setting that keeps a subscription past due. */
  const stopTrying = async () => {
    await buy(FAILS_AT_RENEWALS);
    await world.advance(31 * DAY + 2 * HOUR);
    await stripe.invoices.update((await invoice()).id, { auto_advance: false });
    await decide();
  };

  test('gives Plus until fifteen days after the renewal, and is then ended without an event', async () => {
    await stopTrying();
    expect((await subscription()).status).toBe('past_due');
    await pass(14);
    expect(await planOf()).toBe('plus');
    await pass(2);
    expect(await planOf()).toBe('free');
    expect((await subscription()).status).toBe('canceled');
    expect((await invoice()).status).toBe('void');
    expect((await billingPage())['lostAt']).not.toBeNull();
    expect(work()).toEqual([]);
  });

  test('keeps Plus if it is paid within that time', async () => {
    await stopTrying();
    await pass(5);
    await world.stripe.stripe.invoices.pay((await invoice()).id, { paid_out_of_band: true });
    await pass(15);
    expect(await planOf()).toBe('plus');
    expect(work()).toEqual([]);
  });

  test('keeps Plus while Stripe names a next try', async () => {
    await buy(FAILS_AT_RENEWALS);
    await world.advance(31 * DAY + 2 * HOUR);
    await decide();
    expect((await billingPage())['subscription']).toMatchObject({ nextTry: expect.any(String) });
    expect(await planOf()).toBe('plus');
  });

  test('is ended a day after the next try if support switches that off, of which no event tells', async () => {
    await buy(FAILS_AT_RENEWALS);
    await world.advance(31 * DAY + 2 * HOUR);
    await decide();
    const renewed = await invoice();
    await pass(14);
    expect((await invoice()).next_payment_attempt).toBeGreaterThan(renewed.created + 15 * 86_400);
    await stripe.invoices.update(renewed.id, { auto_advance: false });
    await pass(1);
    expect(await planOf()).toBe('plus');
    await pass(2);
    expect(await planOf()).toBe('free');
    expect((await subscription()).status).toBe('canceled');
    expect(work()).toEqual([]);
  });

  test('leaves no task once it is paid', async () => {
    await buy(FAILS_AT_RENEWALS);
    await world.advance(31 * DAY + 2 * HOUR);
    await decide();
    expect(work()).toEqual(['tries-end']);
    await stripe.invoices.pay((await invoice()).id, { paid_out_of_band: true });
    await pass(5);
    expect(await planOf()).toBe('plus');
    expect(work()).toEqual([]);
  });

  test('leaves a task with its alarm if Stripe refuses to end it, and gives no Plus meanwhile', async () => {
    await stopTrying();
    vi.spyOn(stripe.subscriptions, 'cancel').mockRejectedValue(new Error('Stripe refuses.'));
    await pass(16);
    expect(await planOf()).toBe('free');
    expect(work()).toEqual(['reconcile']);
  });
});

describe('a renewal that is not paid yet', () => {
  test('is due while its invoice was finalized by hand and not tried', async () => {
    await buy();
    await world.advance(31 * DAY + HOUR / 2);
    await stripe.invoices.finalizeInvoice((await invoice()).id);
    expect(await invoice()).toMatchObject({ status: 'open', attempted: false });
    expect((await billingPage())['subscription']).toMatchObject({ paymentDue: true });
    expect((await world.cancel(ada, (await subscription()).id)).body).toMatchObject({ ended: true });
    await pass(2);
    expect(await planOf()).toBe('free');
    expect((await amounts()).length).toBe(1);
  });

  test('is due while the bank is processing it, and is returned after a cancellation', async () => {
    await buy(SETTLES_LATER);
    await world.advance(5 * DAY);
    await decide();
    await world.advance(27 * DAY);
    expect((await billingPage())['subscription']).toMatchObject({ status: 'active', paymentDue: true });
    expect((await world.cancel(ada, (await subscription()).id)).body).toMatchObject({ ended: true });
    await pass(6);
    expect(await amounts()).toEqual([0, expect.any(Number)]);
    expect((await amounts())[1]).toBeGreaterThan(0);
    expect(work()).toEqual([]);
  });
});

describe('paused payments', () => {
  beforeEach(async () => {
    await buy();
    await stripe.subscriptions.update((await subscription()).id, {
      pause_collection: { behavior: 'keep_as_draft' },
    });
    await world.advance(35 * DAY);
    await decide();
  });

  test('are told as such, and Plus goes on', async () => {
    expect(await planOf()).toBe('plus');
    expect((await billingPage())['subscription']).toMatchObject({ paymentDue: false, paused: true });
  });

  test('can be cancelled to the end of the period, and nothing is taken', async () => {
    const answer = await world.cancel(ada, (await subscription()).id);
    expect(answer.body).toEqual({
      success: true,
      current_period_end: (await subscription()).items.data[0]?.current_period_end,
    });
    expect(await planOf()).toBe('plus');
    await world.advance(31 * DAY);
    await decide();
    expect(await planOf()).toBe('free');
    expect((await amounts()).length).toBe(1);
    expect((await invoice()).status).toBe('void');
  });
});

describe('a subscription that support has put on a schedule', () => {
  test('can be cancelled and renewed', async () => {
    await buy();
    const { id } = await subscription();
    await stripe.subscriptionSchedules.create({ from_subscription: id });
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toThrow('schedule');
    expect(await world.cancel(ada, id)).toMatchObject({ status: 200, body: { success: true } });
    expect(await subscription()).toMatchObject({ cancel_at_period_end: true, schedule: null });
    await stripe.subscriptionSchedules.create({ from_subscription: id });
    expect((await world.renew(ada)).status).toBe(200);
    expect((await subscription()).cancel_at).toBeNull();
  });
});

describe('a subscription that support has changed', () => {
  /** A subscription as support makes it at Stripe, in place of the one that Ada has bought. */
  const replaceWith = async (item: Stripe.SubscriptionCreateParams.Item) => {
    await buy();
    const { id, metadata } = await subscription();
    const customer = String((await world.rowOf(ada))?.billing_customer_id);
    await stripe.subscriptions.cancel(id);
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await world.advance(1_000);
    await stripe.subscriptions.create({
      customer,
      default_payment_method: card.id,
      items: [item],
      metadata,
    });
    await decide();
  };
  /** Cancels the subscription that Ada is shown, and expects its end with the period. */
  const expectCancellable = async () => {
    const { id, items } = await subscription();
    expect((await world.rowOf(ada))?.stripe_subscription_id).toBe(id);
    expect(await world.cancel(ada, id)).toEqual({
      status: 200,
      body: { success: true, current_period_end: items.data[0]?.current_period_end },
    });
    await world.advance(32 * DAY);
    await decide();
    expect(await planOf()).toBe('free');
    expect((await subscription()).status).toBe('canceled');
  };

  test('to a larger quantity shows the amount of all, and can be cancelled', async () => {
    await world.openCheckout(ada);
    const [price] = (await stripe.prices.list()).data;
    await replaceWith({ price: String(price?.id), quantity: 3 });
    expect((await billingPage())['subscription']).toMatchObject({ amount: 1_500, currency: 'usd' });
    await expectCancellable();
  });

  test('to another price shows that price, and can be cancelled', async () => {
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 900,
      recurring: { interval: 'month' },
      product_data: { name: 'Plus, as agreed with support' },
    });
    await replaceWith({ price: price.id });
    expect((await billingPage())['subscription']).toMatchObject({ amount: 900, currency: 'usd' });
    await expectCancellable();
  });

  test('to a trial gives Plus, and can be cancelled to the end of the trial', async () => {
    await buy();
    const bought = await subscription();
    // The stand-in has no trials. Stripe ends the period with the trial, and its invoice has nothing to pay.
    const onTrial = (found: Stripe.Subscription): Stripe.Subscription => ({
      ...found,
      status: 'trialing',
      trial_end: found.items.data[0]?.current_period_end ?? null,
      latest_invoice: {
        ...(found.latest_invoice as Stripe.Invoice),
        billing_reason: 'subscription_update',
        amount_due: 0,
        amount_paid: 0,
      },
    });
    const list = stripe.subscriptions.list.bind(stripe.subscriptions);
    const update = stripe.subscriptions.update.bind(stripe.subscriptions);
    vi.spyOn(stripe.subscriptions, 'list').mockImplementation(((...parameters: Parameters<typeof list>) => ({
      autoPagingToArray: async () => (await list(...parameters)).data.map(onTrial),
    })) as never);
    vi.spyOn(stripe.subscriptions, 'update').mockImplementation((async (
      ...parameters: Parameters<typeof update>
    ) => onTrial(await update(...parameters))) as never);
    await decide();
    expect(await planOf()).toBe('plus');
    expect((await billingPage())['subscription']).toMatchObject({ status: 'trialing', paymentDue: false });
    expect(await world.cancel(ada, bought.id)).toEqual({
      status: 200,
      body: { success: true, current_period_end: bought.items.data[0]?.current_period_end },
    });
  });

  test('with an end beyond the paid period can be cancelled to the period’s end', async () => {
    await buy();
    const { id, items } = await subscription();
    const end = items.data[0]?.current_period_end ?? 0;
    await stripe.subscriptions.update(id, { cancel_at: end + 90 * 86_400 });
    await decide();
    expect(await world.cancel(ada, null)).toMatchObject({ status: 200, body: { current_period_end: end } });
    expect((await subscription()).cancel_at).toBe(end);
    expect((await world.cancel(ada, null)).body).toMatchObject({ code: 'already-cancelled' });
  });

  test('without items still shows the billing page', async () => {
    await buy();
    const found = {
      ...(await stripe.subscriptions.retrieve((await subscription()).id, { expand: ['latest_invoice'] })),
    };
    found.items = { ...found.items, data: [] };
    vi.spyOn(stripe.subscriptions, 'list').mockReturnValue({
      autoPagingToArray: async () => [found],
    } as never);
    expect((await world.ask(readBilling(world.dependencies), ada)).status).toBe(200);
  });
});

describe('a customer that support has charged in another currency', () => {
  test('buys with a new customer, and the earlier one is ended and deleted', async () => {
    await buy();
    await world.cancel(ada, (await subscription()).id);
    await world.advance(32 * DAY);
    await decide();
    const before = String((await world.rowOf(ada))?.billing_customer_id);
    const euros = await stripe.prices.create({
      currency: 'eur',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'Another product' },
    });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: before });
    const foreign = await stripe.subscriptions.create({
      customer: before,
      default_payment_method: card.id,
      items: [{ price: euros.id }],
    });
    await buy();
    expect(await planOf()).toBe('plus');
    const after = String((await world.rowOf(ada))?.billing_customer_id);
    expect(after).not.toBe(before);
    await pass(1);
    // Another product's subscription goes on, and its customer is no longer ours.
    expect((await stripe.subscriptions.retrieve(foreign.id)).status).toBe('active');
    expect(await stripe.customers.retrieve(before)).toMatchObject({ metadata: { selfsame: 'released' } });
    expect(work()).toEqual([]);
  });
});

describe('after a month without webhooks and schedules', () => {
  test('a subscription whose first payment failed gives no Plus and is ended', async () => {
    await world.buy(ada, FAILS_LATER);
    await world.advance(31 * DAY + HOUR / 2);
    expect((await invoice()).billing_reason).toBe('subscription_cycle');
    await decide();
    expect(await planOf()).toBe('free');
    expect((await subscription()).status).toBe('canceled');
    expect((await invoice()).status).toBe('void');
  });

  test('a subscription that was paid gives Plus, although the row never said so', async () => {
    await world.buy(ada);
    await world.advance(31 * DAY + HOUR / 2);
    await decide();
    expect(await planOf()).toBe('plus');
  });

  test('a duplicate gets back all that it took', async () => {
    await world.openCheckout(ada);
    const first = await world.buy(ada);
    expect(first).toBeDefined();
    const customer = String((await world.rowOf(ada))?.billing_customer_id);
    const [price] = (await stripe.prices.list()).data;
    const { metadata } = await subscription();
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await world.advance(1_000);
    await stripe.subscriptions.create({
      customer,
      default_payment_method: card.id,
      items: [{ price: String(price?.id) }],
      metadata,
    });
    await world.advance(32 * DAY);
    await decide();
    expect((await amounts()).toSorted((a, b) => a - b)).toEqual([0, 0, 500, 500]);
  });
});
