import { expect, test as base } from 'vitest';
import { stripeEventSubject } from '../../../functions/domain/stripe-event-subject.ts';
import { handleStripeEvent } from '../../../functions/plans/handle-stripe-event.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';

/**
 * The cases that buyers of another product's $10 plan have reported in public: anomalyco/opencode on GitHub,
 * by the numbers of their reports.
 */

const test = base.extend<MemoryFixtures>(billingInMemory({ inProcess: true }));

/** Her plan, the kind of standing that the pages show, and what was taken and not refunded. */
const stateOf = async (ada: MemoryFixtures['ada']) => [
  await ada.planName(),
  (await ada.standing()).kind,
  await ada.taken(),
];

const REFUSES_RENEWALS = '4000 0000 0000 0341';

test('paid, not activated: every webhook is lost, and the tab is closed (#29135 #29677 #30515 #31028 #32153 #32420 #34705 #45907 #49935)', async ({
  ada,
}) => {
  await ada.buy();
  await ada.pass(1);
  expect(await stateOf(ada)).toEqual(['plus', 'renews', [PRICE]]);
});

test('lost in mid-period: a purchase that was given up before ends days later, and every event comes again, newest first (#37320 #38025)', async ({
  ada,
  stripe,
  world,
}) => {
  await ada.buy('4000 0000 0000 0002');
  await ada.buy();
  for (let day = 0; day < 30; day += 1) {
    await ada.pass(1);
    if (day % 5 === 0) {
      const events = await stripe.events.list({ limit: 100 });
      for (const event of events.data) {
        const subject = stripeEventSubject(event, STAGE);
        if (subject) await handleStripeEvent(world.dependencies, subject, new Date());
      }
    }
    expect([day, await ada.planName(), (await ada.standing()).kind]).toEqual([day, 'plus', 'renews']);
  }
});

test('lost at a renewal that was paid two days late (#39133 #44851)', async ({ ada, stripe }) => {
  await ada.buy(REFUSES_RENEWALS);
  await ada.pass(32);
  expect([await ada.planName(), (await ada.standing()).kind]).toEqual(['plus', 'failed']);
  await ada.pass(1);
  const { id } = await ada.invoice();
  await stripe.invoices.pay(id, { off_session: false });
  for (let day = 0; day < 25; day += 1) {
    await ada.pass(1);
    expect([day, await ada.planName(), (await ada.standing()).kind]).toEqual([day, 'plus', 'renews']);
  }
  expect(await ada.taken()).toEqual([PRICE, PRICE]);
});

test('paid and shown as inactive, while the pages about payments fail (#49768)', async ({ ada, world }) => {
  await ada.buy();
  await ada.pass(1);
  const end = world.stripe.service.faults.addLasting({
    method: 'GET',
    path: '/v1/subscriptions',
    fault: 'server-error',
  });
  expect((await ada.billing()).status).toBeGreaterThanOrEqual(500);
  await ada.pass(3);
  expect((await ada.plan()).body).toMatchObject({ plan: 'plus', planExpiresAt: null });
  end();
  expect(await ada.standing()).toMatchObject({ kind: 'renews' });
});

test('a stuck payment, which a new card doesn’t end (#40064)', async ({ ada, stripe }) => {
  await ada.buy(REFUSES_RENEWALS);
  await ada.pass(32);
  expect((await ada.standing()).kind).toBe('failed');
  const customer = await ada.customer();
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
  await stripe.subscriptions.update((await ada.subscription()).id, { default_payment_method: '' });
  await ada.pass(8);
  expect(await stateOf(ada)).toEqual(['plus', 'renews', [PRICE, PRICE]]);
});

test('charged after cancelling, also long after the end (#32500 #33337 #39467)', async ({ ada }) => {
  await ada.buy();
  await ada.pass(3);
  await ada.cancel((await ada.row())?.stripe_subscription_id);
  expect((await ada.standing()).kind).toBe('ends');
  await ada.pass(100);
  expect(await stateOf(ada)).toEqual(['free', 'free', [PRICE]]);
});

test('the payment is stopped at the bank, and the contract goes on (#35290)', async ({ ada, stripe }) => {
  await ada.buy(REFUSES_RENEWALS);
  await ada.pass(70);
  expect(await stateOf(ada)).toEqual(['free', 'lost', [PRICE]]);
  const { data } = await stripe.invoices.list({ customer: await ada.customer() });
  expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
});

test('charged twice: the page says “subscribe” once more (#28094 #29248)', async ({ ada, world }) => {
  await ada.buy();
  expect((await ada.openCheckout()).status).toBe(409);
  const { metadata, items } = await ada.subscription();
  await world.sell(await ada.customer(), { price: String(items.data[0]?.price.id), metadata });
  await ada.pass(1);
  expect(await stateOf(ada)).toEqual(['plus', 'renews', [PRICE]]);
  expect(ada.mails()).toEqual(['subscription-begun', 'payment-refunded']);
});
