import type { Stripe } from 'stripe';
import { describe, expect, test as base } from 'vitest';
import { isMailTask } from '../../fixtures/fakes/memory-adapters.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

/** States that outlast Stripe's usual course, or that support causes in Stripe's dashboard. */

const FAILS_AT_RENEWALS = '4000 0000 0000 0341';
const SETTLES_LATER = '4000 0099 9900 0014';
const FAILS_LATER = '4000 0099 9900 0022';
const RENEWAL = 31 * DAY;

interface States extends Omit<MemoryFixtures, 'ada'> {
  ada: MemoryFixtures['ada'] & {
    /** Her plan, its status at Stripe, and the work that is left, apart from mails. */
    state: () => Promise<{ plan: string | undefined; status: string; work: string[] }>;
    /** Each day, the schedule of the tasks runs. */
    pass: (days: number) => Promise<void>;
    /** Stripe no longer tries, as after the last try with the setting that keeps a subscription past due. */
    stopTrying: () => Promise<void>;
  };
}

const test = base.extend<States>({
  ...billingInMemory({ inProcess: true }),
  ada: async ({ world, stripe, memory: { tasks } }, use) => {
    const user = await world.signUp();
    await use({
      ...user,
      world,
      stripe,
      state: async () => ({
        plan: await user.planName(),
        status: (await user.subscription()).status,
        work: [...tasks.items.values()].filter((task) => !isMailTask(task)).map(({ work }) => work),
      }),
      async pass(days) {
        for (let day = 0; day < days; day += 1) {
          await world.advance(DAY);
          await world.runTasks();
        }
      },
      async stopTrying() {
        await user.buyPlus(FAILS_AT_RENEWALS);
        await world.advance(RENEWAL + 2 * HOUR);
        await stripe.invoices.update((await user.invoice()).id, { auto_advance: false });
        await user.decide();
      },
    });
  },
});
const PLUS = { plan: 'plus', status: 'active', work: [] };
const PAST_DUE = { plan: 'plus', status: 'past_due', work: ['tries-end'] };
const ENDED = { plan: 'free', status: 'canceled', work: [] };

describe('a subscription that stays past due', () => {
  test('gives Plus until fifteen days after the renewal, and then ends without an event', async ({ ada }) => {
    await ada.stopTrying();
    await ada.pass(14);
    expect(await ada.state()).toEqual(PAST_DUE);
    await ada.pass(2);
    expect(await ada.state()).toEqual(ENDED);
    expect((await ada.invoice()).status).toBe('void');
    expect(await ada.standing()).toMatchObject({ kind: 'lost' });
  });

  test('ends a day after the next try if support switches that off, without an event', async ({ ada }) => {
    const { world, stripe } = ada;
    await ada.buyPlus(FAILS_AT_RENEWALS);
    await world.advance(RENEWAL + 2 * HOUR);
    await ada.decide();
    expect(await ada.standing()).toMatchObject({
      kind: 'failed',
      nextTry: expect.any(String),
    });
    const renewed = await ada.invoice();
    await ada.pass(14);
    expect((await ada.invoice()).next_payment_attempt).toBeGreaterThan(renewed.created + 15 * 86_400);
    await stripe.invoices.update(renewed.id, { auto_advance: false });
    await ada.pass(1);
    expect(await ada.state()).toEqual(PAST_DUE);
    await ada.pass(2);
    expect(await ada.state()).toEqual(ENDED);
  });
});

test('a renewal is due while the bank processes it, and returned after a cancellation', async ({ ada }) => {
  const { world, stripe } = ada;
  await ada.buy(SETTLES_LATER);
  await world.advance(5 * DAY);
  await ada.decide();
  await world.advance(27 * DAY);
  expect(await ada.standing()).toMatchObject({ kind: 'pending' });
  expect((await ada.cancel((await ada.subscription()).id)).body).toMatchObject({ ended: true });
  await ada.pass(6);
  const { data: charges } = await stripe.charges.list();
  expect(charges.map(({ paid, refunded }) => [paid, refunded])).toEqual([
    [true, true],
    [true, false],
  ]);
  expect(await ada.state()).toEqual(ENDED);
});

test('while payments are paused, Plus goes on, says so, and can be cancelled', async ({ ada }) => {
  const { world, stripe } = ada;
  const { id } = (await ada.buyPlus()).subscription;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await world.advance(35 * DAY);
  await ada.decide();
  expect(await ada.state()).toEqual(PLUS);
  expect(await ada.standing()).toMatchObject({ kind: 'paused', on: expect.any(String) });
  expect((await ada.cancel(id)).body).toEqual({
    success: true,
    current_period_end: (await ada.subscription()).items.data[0]?.current_period_end,
  });
  expect(await ada.state()).toEqual(PLUS);
  await world.advance(RENEWAL);
  await ada.decide();
  expect(await ada.state()).toEqual(ENDED);
  expect((await stripe.charges.list()).data).toHaveLength(1);
  expect((await ada.invoice()).status).toBe('void');
});

test('a subscription that support has put on a schedule can be cancelled and renewed', async ({ ada }) => {
  const { stripe } = ada;
  const { id } = (await ada.buyPlus()).subscription;
  await stripe.subscriptionSchedules.create({ from_subscription: id });
  expect(await ada.cancel(id)).toMatchObject({ status: 200, body: { success: true } });
  expect(await ada.subscription()).toMatchObject({ cancel_at_period_end: true, schedule: null });
  await stripe.subscriptionSchedules.create({ from_subscription: id });
  expect((await ada.renew()).status).toBe(200);
  expect((await ada.subscription()).cancel_at).toBeNull();
});

describe('a subscription that support has changed', () => {
  const agreed = {
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
    product_data: { name: 'Plus, as agreed with support' },
  } as const;
  const ofOurPrice = async ({ prices }: Stripe) => String((await prices.list()).data[0]?.id);

  test('to another price shows its amount, and can be cancelled', async ({ ada }) => {
    const { world, stripe } = ada;
    const { subscription: bought, customer } = await ada.buyPlus();
    await stripe.subscriptions.cancel(bought.id);
    await world.advance(1_000);
    await stripe.subscriptions.create({
      customer,
      default_payment_method: (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id,
      items: [{ price: (await stripe.prices.create(agreed)).id }],
      metadata: bought.metadata,
    });
    await ada.decide();
    expect(await ada.standing()).toMatchObject({
      charges: [{ money: { amount: 900, currency: 'usd' } }],
    });
    const { id, items } = await ada.subscription();
    expect((await ada.row())?.stripe_subscription_id).toBe(id);
    expect((await ada.cancel(id)).body).toEqual({
      success: true,
      current_period_end: items.data[0]?.current_period_end,
    });
    await world.advance(32 * DAY);
    await ada.decide();
    expect(await ada.state()).toEqual(ENDED);
  });

  test('to a later end lasts until then, and can be cancelled to the period’s end', async ({ ada }) => {
    const { stripe } = ada;
    const { id, items } = (await ada.buyPlus()).subscription;
    const end = items.data[0]?.current_period_end ?? 0;
    const later = end + 90 * 86_400;
    await stripe.subscriptions.update(id, { cancel_at: later });
    await ada.decide();
    const planExpiresAt = new Date(later * 1000).toISOString();
    expect((await ada.plan()).body).toMatchObject({ plan: 'plus', planExpiresAt });
    expect(await ada.cancel()).toMatchObject({ status: 200, body: { current_period_end: end } });
    expect((await ada.subscription()).cancel_at).toBe(end);
    expect((await ada.cancel()).body).toMatchObject({ code: 'already-cancelled' });
  });

  test('on the first page of a hundred that have ended since it is found', async ({ ada }) => {
    const { stripe } = ada;
    const { subscription, customer } = await ada.buyPlus();
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: await ofOurPrice(stripe) }];
    // Stripe lists the newest first, so the active subscription is on the second page.
    for (let count = 0; count < 100; count += 1) {
      const past = await stripe.subscriptions.create({ customer, items, default_payment_method: card });
      await stripe.subscriptions.cancel(past.id);
    }
    expect((await ada.openCheckout()).body).toMatchObject({ code: 'already-subscribed' });
    expect((await ada.row())?.stripe_subscription_id).toBe(subscription.id);
  });
});

test('a customer charged in another currency is replaced at the next purchase', async ({ ada }) => {
  const { world, stripe } = ada;
  const { subscription, customer: before } = await ada.buyPlus();
  await ada.cancel(subscription.id);
  await world.advance(32 * DAY);
  await ada.decide();
  const foreign = await world.sell(before, { currency: 'eur' });
  expect((await ada.buyPlus()).customer).not.toBe(before);
  await ada.pass(1);
  // Another product's subscription goes on, and its customer is no longer ours.
  expect((await stripe.subscriptions.retrieve(foreign.id)).status).toBe('active');
  expect(await stripe.customers.retrieve(before)).toMatchObject({ metadata: { selfsame: 'released' } });
  expect(await ada.state()).toEqual(PLUS);
});

test('a first payment that failed gives no Plus, also after a month of silence', async ({ ada }) => {
  const { world } = ada;
  await ada.buy(FAILS_LATER);
  await world.advance(RENEWAL + HOUR / 2);
  expect((await ada.invoice()).billing_reason).toBe('subscription_cycle');
  await ada.decide();
  expect(await ada.state()).toEqual(ENDED);
  expect((await ada.invoice()).status).toBe('void');
});
