import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, startStripe, subscribe, type StripeStandIn } from '../fixtures/stripe.ts';

// Refusals from Stripe's reference for the product's calls. Other refusals are in the other files here.

let world: StripeStandIn;
let stripe: Stripe;

beforeEach(async () => {
  world = await startStripe();
  ({ stripe } = world);
});
afterEach(() => world.close());

/** The refusal of a call, as Stripe's client throws it. */
async function refusalOf(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof Stripe.errors.StripeError)) throw new Error('It was not refused.');
  return outcome;
}

const missingInPath = { type: 'StripeInvalidRequestError', statusCode: 404, code: 'resource_missing' };

describe('an idempotency key', () => {
  test('is not used up by an invalid request', async () => {
    const attempt = { idempotencyKey: 'attempt-1' };
    expect((await refusalOf(stripe.customers.create({ email: 'nobody' }, attempt))).statusCode).toBe(400);
    expect((await stripe.customers.create({ email: 'ada@example.com' }, attempt)).email).toBe(
      'ada@example.com',
    );
  });

  test('replays a card’s refusal without charging the card again', async () => {
    const { customer } = await subscribe(world, { number: '4000 0000 0000 0341' });
    await world.clock.advance(32 * DAY);
    const [invoice] = (await stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
    const pay = () => refusalOf(stripe.invoices.pay(String(invoice?.id), {}, { idempotencyKey: 'pay-1' }));
    const charges = async () => (await stripe.charges.list({ customer: customer.id })).data.length;

    expect(await pay()).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const tried = await charges();
    expect(await pay()).toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect(await charges()).toBe(tried);
  });

  test('refunds once', async () => {
    const { customer } = await subscribe(world);
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
    const refund = () =>
      stripe.refunds.create({ charge: String(charge?.id) }, { idempotencyKey: 'surplus-in_1' });
    expect((await refund()).id).toBe((await refund()).id);
    expect((await stripe.refunds.list({ charge: String(charge?.id) })).data).toHaveLength(1);
    // Without the key the second request is refused.
    expect(await refusalOf(stripe.refunds.create({ charge: String(charge?.id) }))).toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    });
  });

  test('replays a refusal of the endpoint, even if the object is there by now', async () => {
    const { customer, subscription } = await subscribe(world);
    const create = () =>
      stripe.subscriptions.create(
        { customer: customer.id, items: [{ price: String(subscription.items.data[0]?.price.id) }] },
        { idempotencyKey: 'subscribe-1' },
      );
    expect(await refusalOf(create())).toMatchObject({ statusCode: 400, code: 'resource_missing' });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });

    const replayed = await refusalOf(create());

    expect(replayed).toMatchObject({ statusCode: 400, code: 'resource_missing' });
    expect(replayed.headers?.['idempotent-replayed']).toBe('true');
    await world.clock.advance(DAY);
    expect((await create()).status).toBe('active');
  });

  test('replays that an object is missing', async () => {
    const rename = () => stripe.customers.update('cus_none', { name: 'Ada' }, { idempotencyKey: 'rename-1' });
    expect(await refusalOf(rename())).toMatchObject(missingInPath);
    expect((await refusalOf(rename())).headers?.['idempotent-replayed']).toBe('true');
  });

  test('is not used up by a missing parameter, nor by a property that can’t be expanded', async () => {
    const attempt = { idempotencyKey: 'attempt-1' };
    const portal = {
      return_url: 'http://localhost:3000/pricing',
    } as Stripe.BillingPortal.SessionCreateParams;
    expect(await refusalOf(stripe.billingPortal.sessions.create(portal, attempt))).toMatchObject({
      code: 'parameter_missing',
    });
    expect(
      (await refusalOf(stripe.customers.create({ name: 'Ada', expand: ['name'] }, attempt))).statusCode,
    ).toBe(400);
    expect((await stripe.customers.create({ name: 'Ada' }, attempt)).name).toBe('Ada');
  });

  test('has at most 255 characters', async () => {
    const create = (length: number) => stripe.customers.create({}, { idempotencyKey: 'k'.repeat(length) });
    expect((await refusalOf(create(256))).statusCode).toBe(400);
    expect((await create(255)).object).toBe('customer');
  });

  test('is ignored for reads', async () => {
    const key = { idempotencyKey: 'read-1' };
    await stripe.customers.list({}, key);
    expect((await stripe.prices.list({}, key)).data).toEqual([]);
  });
});
