import type { Stripe } from 'stripe';
import { describe, expect, test as base, vi } from 'vitest';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
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
  test('gives Plus until fifteen days after the renewal, and is then ended without an event', async ({
    ada,
  }) => {
    await ada.stopTrying();
    await ada.pass(14);
    expect(await ada.state()).toEqual(PAST_DUE);
    await ada.pass(2);
    expect(await ada.state()).toEqual(ENDED);
    expect((await ada.invoice()).status).toBe('void');
    expect((await ada.billing()).body['standing']).toMatchObject({ kind: 'lost' });
  });

  test('keeps Plus if it is paid within that time', async ({ ada }) => {
    const { stripe } = ada;
    await ada.stopTrying();
    await ada.pass(5);
    expect(await ada.state()).toEqual(PAST_DUE);
    await stripe.invoices.pay((await ada.invoice()).id, { paid_out_of_band: true });
    await ada.pass(15);
    expect(await ada.state()).toEqual(PLUS);
  });

  test('is ended a day after the next try if support switches that off, of which no event tells', async ({
    ada,
  }) => {
    const { world, stripe } = ada;
    await ada.buyPlus(FAILS_AT_RENEWALS);
    await world.advance(RENEWAL + 2 * HOUR);
    await ada.decide();
    expect((await ada.billing()).body['standing']).toMatchObject({
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

  test('leaves a task with its alarm if Stripe refuses to end it, and gives no Plus meanwhile', async ({
    ada,
  }) => {
    const { stripe } = ada;
    await ada.stopTrying();
    vi.spyOn(stripe.subscriptions, 'cancel').mockRejectedValue(new Error('Stripe refuses.'));
    await ada.pass(16);
    expect(await ada.state()).toEqual({ plan: 'free', status: 'past_due', work: ['reconcile'] });
  });
});

describe('a renewal that is not paid yet', () => {
  test('is due while its invoice was finalized by hand and not tried', async ({ ada }) => {
    const { world, stripe } = ada;
    const { subscription } = await ada.buyPlus();
    await world.advance(RENEWAL + HOUR / 2);
    await stripe.invoices.finalizeInvoice((await ada.invoice()).id);
    expect(await ada.invoice()).toMatchObject({ status: 'open', attempted: false });
    expect((await ada.billing()).body['standing']).toMatchObject({ kind: 'pending' });
    expect((await ada.cancel(subscription.id)).body).toMatchObject({ ended: true });
    await ada.pass(2);
    expect(await ada.state()).toEqual(ENDED);
    expect((await stripe.charges.list()).data).toHaveLength(1);
  });

  test('is due while the bank is processing it, and is returned after a cancellation', async ({ ada }) => {
    const { world, stripe } = ada;
    await ada.buy(SETTLES_LATER);
    await world.advance(5 * DAY);
    await ada.decide();
    await world.advance(27 * DAY);
    expect((await ada.billing()).body['standing']).toMatchObject({ kind: 'pending' });
    expect((await ada.cancel((await ada.subscription()).id)).body).toMatchObject({ ended: true });
    await ada.pass(6);
    const { data: charges } = await stripe.charges.list();
    expect(charges.map(({ paid, refunded }) => [paid, refunded])).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(await ada.state()).toEqual(ENDED);
  });
});

test('while payments are paused, Plus goes on, says so, and can be cancelled to the end of the period', async ({
  ada,
}) => {
  const { world, stripe } = ada;
  const { id } = (await ada.buyPlus()).subscription;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await world.advance(35 * DAY);
  await ada.decide();
  expect(await ada.state()).toEqual(PLUS);
  expect((await ada.billing()).body['standing']).toMatchObject({ kind: 'paused', on: expect.any(String) });
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

  test.for<[string, number, (stripe: Stripe) => Promise<Stripe.SubscriptionCreateParams.Item>]>([
    ['a larger quantity', 3 * PRICE, async (stripe) => ({ price: await ofOurPrice(stripe), quantity: 3 })],
    ['another price', 900, async ({ prices }) => ({ price: (await prices.create(agreed)).id })],
  ])('to %s shows the whole amount, and can be cancelled', async ([, amount, itemOf], { ada }) => {
    const { world, stripe } = ada;
    const { subscription: bought, customer } = await ada.buyPlus();
    await stripe.subscriptions.cancel(bought.id);
    await world.advance(1_000);
    await stripe.subscriptions.create({
      customer,
      default_payment_method: (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id,
      items: [await itemOf(stripe)],
      metadata: bought.metadata,
    });
    await ada.decide();
    expect((await ada.billing()).body['standing']).toMatchObject({
      charges: [{ money: { amount, currency: 'usd' } }],
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

  test('to an end beyond the paid period lasts until then, and can be cancelled to the period’s end', async ({
    ada,
  }) => {
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

  test('so that it has no items still shows the billing page', async ({ ada }) => {
    const { stripe } = ada;
    const { subscription } = await ada.buyPlus();
    const found = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    const items = { ...found.items, data: [] };
    vi.spyOn(stripe.subscriptions, 'list').mockReturnValue({
      autoPagingToArray: async () => [{ ...found, items }],
    } as never);
    expect((await ada.billing()).status).toBe(200);
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

test('a customer that support has charged in another currency is replaced at the next purchase, and released', async ({
  ada,
}) => {
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

describe('after a month without webhooks and schedules', () => {
  test('a subscription whose first payment failed gives no Plus and is ended', async ({ ada }) => {
    const { world } = ada;
    await ada.buy(FAILS_LATER);
    await world.advance(RENEWAL + HOUR / 2);
    expect((await ada.invoice()).billing_reason).toBe('subscription_cycle');
    await ada.decide();
    expect(await ada.state()).toEqual(ENDED);
    expect((await ada.invoice()).status).toBe('void');
  });

  test('a subscription that was paid gives Plus, although the row never said so', async ({ ada }) => {
    const { world } = ada;
    await ada.buy();
    await world.advance(RENEWAL + HOUR / 2);
    await ada.decide();
    expect(await ada.state()).toEqual(PLUS);
  });
});
