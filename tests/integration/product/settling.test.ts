import { describe, expect, vi, test as base } from 'vitest';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { withdraw } from '../../../functions/plans/withdraw.ts';
import { failingStripe } from '../../fixtures/fakes/failing-stripe.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import type { FaultName } from '../../../infra/local/vendors/stripe/faults.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';
import { type Ada, adapterFixtures, PAST_DUE_CARD } from './adapter-fixtures.ts';

const test = base.extend<Omit<MemoryFixtures, 'ada'> & { ada: Ada }>(adapterFixtures);

const refunded = { status: 'canceled', metadata: { ended: 'duplicate', refund: 'done' } };

describe('a second payment on Plus', () => {
  /** Ada has paid both. */
  const buyTwice = async (ada: Ada, card?: string) =>
    [await ada.subscribe(), await ada.subscribe(card)] as const;

  test('is refunded and its subscription ended, and the row keeps the first one', async ({ ada }) => {
    const sessions = [await ada.openSession(), await ada.openSession()] as const;
    const [{ id: first }, { id: second }] = [await ada.pay(sessions[0]), await ada.pay(sessions[1])];
    const decided = await ada.decide();
    expect(decided?.row).toMatchObject({ plan: 'plus', stripe_subscription_id: first });
    expect((await ada.atStripe(first)).status).toBe('active');
    expect(await ada.atStripe(second)).toMatchObject({
      status: 'canceled',
      metadata: { ended: 'duplicate', refund: 'done', ...markOf(STAGE, ada.id) },
    });
    expect(await ada.world.refunds()).toEqual([PRICE]);
    const invoices = await ada.adapter.invoicesOf(ada.cus);
    expect(invoices.map(({ refunded: returned }) => returned)).toEqual([PRICE, undefined]);
    const statuses = [await ada.sessionStatus(sessions[0].id), await ada.sessionStatus(sessions[1].id)];
    expect(statuses.map(({ body }) => body['refunded'])).toEqual([false, true]);
  });

  const steps = [
    'mark it as found',
    'read its invoices',
    'read their payments',
    'refund',
    'end the subscription',
    'mark it as refunded',
  ];
  test.for(
    steps.flatMap((step, index) => [
      { step, at: index + 1, when: 'before' as const },
      { step, at: index + 1, when: 'after' as const },
    ]),
  )(
    'is refunded once if the connection is lost $when it could $step',
    async ({ at, when }, { ada, memory }) => {
      const [first, second] = await buyTwice(ada);
      const { stripe: failing, calls } = failingStripe(ada.stripe, { at, when });
      const billing = billingOver(async () => ({ stripe: failing, webhookSecret: 'whsec_local' }), STAGE);
      await reconcile({ ...memory, billing }, ada.id, new Date(), { trigger: 'test' });
      expect(calls.length).toBeGreaterThan(at);
      expect(await ada.row()).toMatchObject({ plan: 'plus', stripe_subscription_id: first });

      await ada.decide();
      await ada.decide();

      expect(await ada.world.refunds()).toEqual([PRICE]);
      expect(await ada.atStripe(second)).toMatchObject(refunded);
      expect((await ada.atStripe(first)).status).toBe('active');
    },
  );

  test('ends even if the refund fails, which is tried again', async ({ ada }) => {
    const [, second] = await buyTwice(ada);
    vi.spyOn(ada.stripe.refunds, 'create').mockRejectedValueOnce(new Error('Out of reach.'));
    expect((await ada.decide())?.unsettled).toMatchObject({ message: 'Out of reach.' });
    expect((await ada.atStripe(second)).status).toBe('canceled');
    expect(await ada.world.refunds()).toEqual([]);
    expect((await ada.decide())?.unsettled).toBeUndefined();
    expect(await ada.world.refunds()).toEqual([PRICE]);
  });

  test('is refunded and ends while Stripe refuses to mark it', async ({ ada }) => {
    const [, second] = await buyTwice(ada);
    vi.spyOn(ada.stripe.subscriptions, 'update').mockRejectedValue(new Error('Out of reach.'));
    expect((await ada.decide())?.unsettled).toMatchObject({ message: 'Out of reach.' });
    expect(await ada.world.refunds()).toEqual([PRICE]);
    expect((await ada.atStripe(second)).status).toBe('canceled');
  });

  test('is not refunded again if support has refunded it', async ({ ada }) => {
    const [, second] = await buyTwice(ada);
    const { data: invoices } = await ada.stripe.invoices.list({ subscription: second });
    const { data: payments } = await ada.stripe.invoicePayments.list({ invoice: String(invoices[0]?.id) });
    await ada.stripe.refunds.create({ payment_intent: payments[0]?.payment.payment_intent as string });
    await ada.decide();
    expect(await ada.world.refunds()).toEqual([PRICE]);
    expect(await ada.atStripe(second)).toMatchObject(refunded);
  });

  test('is not refunded while it is disputed, and its subscription is ended', async ({ ada }) => {
    const [, second] = await buyTwice(ada, '4000 0000 0000 0259');
    await ada.decide();
    expect(await ada.world.refunds()).toEqual([]);
    expect((await ada.atStripe(second)).status).toBe('canceled');
  });

  test('is kept if the first subscription is past_due, which is ended without a refund', async ({ ada }) => {
    const first = await ada.subscribe(PAST_DUE_CARD);
    await ada.world.advance(32 * DAY);
    const second = await ada.subscribe();
    await ada.decide();
    expect(await ada.world.refunds()).toEqual([]);
    expect(await ada.atStripe(first)).toMatchObject({
      status: 'canceled',
      metadata: { ended: 'duplicate', refund: 'none' },
    });
    expect(await ada.row()).toMatchObject({ plan: 'plus', stripe_subscription_id: second });
  });
});

describe('a past_due subscription', () => {
  test.for(['while it was being ended', 'after its end'] as const)(
    'is refunded what was paid %s',
    async (when, { ada }) => {
      const id = await ada.subscribe(PAST_DUE_CARD);
      await ada.world.advance(32 * DAY);
      const [past] = (await ada.found()) as [Subscription];
      const { data: open } = await ada.stripe.invoices.list({ subscription: id, status: 'open' });
      const { id: payment_method } = await ada.stripe.paymentMethods.attach('pm_card_visa', {
        customer: ada.cus,
      });
      if (when === 'after its end') {
        await ada.adapter.cancelUnpaid(past);
        await ada.world.advance(1_000);
      }
      await ada.stripe.invoices.pay(String(open[0]?.id), { payment_method });
      if (when === 'while it was being ended') {
        await ada.adapter.cancelUnpaid(past);
        await ada.adapter.cancelUnpaid(past);
      }
      await ada.decide();
      await ada.decide();
      const { data: charges } = await ada.stripe.charges.list({ customer: ada.cus });
      expect(charges.map(({ paid, refunded: returned }) => [paid, returned])).toEqual([
        [true, true],
        [false, false],
        [true, false],
      ]);
    },
  );
});

test('a withdrawal ends Plus and refunds it once, and Plus can be bought again', async ({ ada }) => {
  const id = await ada.subscribe();
  await ada.decide();
  await ada.world.advance(13 * DAY);
  for (let times = 0; times < 2; times += 1) {
    await withdraw(ada.world.dependencies, await ada.stored(), new Date(), 'test');
    await ada.decide();
    expect([await ada.planName(), (await ada.atStripe(id)).status]).toEqual(['free', 'canceled']);
    const { data: refunds } = await ada.stripe.refunds.list();
    expect(refunds).toMatchObject([{ amount: PRICE, reason: 'requested_by_customer' }]);
  }
  await ada.buyPlus();
});

/** Lets Stripe refuse a call from now on. */
const refuse = (ada: Ada, fault: FaultName, method: 'GET' | 'POST', path: string) =>
  ada.world.stripe.service.faults.addLasting({ fault, method, path });

test('a duplicate is refunded and ended although its marks are not allowed', async ({ ada }) => {
  await ada.subscribe();
  const second = await ada.subscribe();
  refuse(ada, 'bad-request', 'POST', '/v1/subscriptions/:id');
  expect((await ada.decide())?.unsettled).toBeUndefined();
  expect(await ada.world.refunds()).toEqual([PRICE]);
  expect((await ada.atStripe(second)).status).toBe('canceled');
});

test('an ended subscription’s invoices are void although its mark is not allowed', async ({ ada }) => {
  const id = await ada.subscribe(PAST_DUE_CARD);
  await ada.world.advance(32 * DAY);
  await ada.stripe.subscriptions.cancel(id);
  refuse(ada, 'bad-request', 'POST', '/v1/subscriptions/:id');
  expect((await ada.decide())?.unsettled).toBeUndefined();
  expect((await ada.stripe.invoices.list({ subscription: id, status: 'open' })).data).toEqual([]);
});

test('a list of subscriptions that is said to be missing takes no payer off Plus', async ({ ada }) => {
  await ada.subscribe();
  await ada.decide();
  refuse(ada, 'not-found', 'GET', '/v1/subscriptions');
  await expect(ada.decide()).rejects.toThrow('No such');
  expect(await ada.row()).toMatchObject({ plan: 'plus' });
});

test('expiring a session that is paid is no error', async ({ ada }) => {
  const session = await ada.openSession();
  await ada.pay(session);
  await expect(ada.adapter.expireCheckout(session.id)).resolves.toBeUndefined();
});

test('a plan whose invoices support sends is decided without a list of them', async ({ ada }) => {
  const id = await ada.subscribe();
  await ada.stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 10 });
  refuse(ada, 'bad-request', 'GET', '/v1/invoices');
  await ada.decide();
  expect(await ada.row()).toMatchObject({ plan: 'plus', stripe_subscription_id: id });
});
