import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { readSessionStatus } from '../../../functions/api/session-status.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { call } from '../../fixtures/http-event.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { PRICE, PRICE_WITH_CENTS } from '../../fixtures/price-of-plus.ts';
import { DAY, type StripeWorld, stripeWorld } from '../../fixtures/stripe-world.ts';

let world: StripeWorld;
let plans: MemoryPlans;
let billing: Billing;
let customer: string;

const over = (stripe: Stripe): Billing => billingOver(async () => ({ stripe, webhookSecret: 'whsec_local' }));

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  world = await stripeWorld();
  plans = new MemoryPlans();
  billing = over(world.stripe);
  customer = await billing.createCustomer({ userId: 'ada', email: 'ada@example.com' });
  plans.put({ id: 'ada', billing_customer_id: customer, version: 1 });
});
afterEach(() => world.close());

const look = (through: Billing = billing) =>
  reconcile({ plans, billing: through }, 'ada', world.clock.now(), { trigger: 'test' });

const openSession = async () => {
  const returnUrl = 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}';
  const session = await billing.openCheckout({ customerId: customer, userId: 'ada', returnUrl });
  if (!session) throw new Error('Stripe opened no session.');
  return session;
};

/** Pays a session as its page does. Resolves with the subscription's id. */
const pay = async (
  { id, clientSecret }: { id: string; clientSecret: string | undefined },
  number?: string,
) => {
  // Of two payments of the same second nobody can say which was the first.
  await world.clock.advance(1_000);
  await world.submitCard({ client_secret: clientSecret ?? '' }, number ? { number } : {});
  return (await billing.checkout(id))?.subscription?.id ?? '';
};

const buy = async (number?: string): Promise<string> => pay(await openSession(), number);

const subscription = (id: string) => world.stripe.subscriptions.retrieve(id);

const refunds = async (): Promise<number[]> =>
  (await world.stripe.refunds.list({ limit: 100 })).data.map(({ amount }) => amount);

const paymentOf = async (subscriptionId: string): Promise<string> => {
  const { data: invoices } = await world.stripe.invoices.list({ subscription: subscriptionId });
  const { data: payments } = await world.stripe.invoicePayments.list({ invoice: invoices[0]?.id ?? '' });
  return payments[0]?.payment.payment_intent as string;
};

/**
 * Stripe's client, and how often each of its methods was called. The nth call dies, before or after it took
 * effect.
 */
function dying({ at = Infinity, when = 'before' }: { at?: number; when?: 'before' | 'after' } = {}) {
  const calls: string[] = [];
  const died = new Error('The function was killed.');
  const stripe = new Proxy(world.stripe, {
    get(client, resource) {
      const value: unknown = Reflect.get(client, resource);
      if (typeof value !== 'object' || value === null) return value;
      return new Proxy(value, {
        get(methods, name) {
          const method: unknown = Reflect.get(methods, name);
          if (typeof method !== 'function') return method;
          return (...parameters: unknown[]): unknown => {
            calls.push(`${String(resource)}.${String(name)}`);
            // The first is reconcile's own question.
            if (calls.length !== at + 1) return Reflect.apply(method, methods, parameters) as unknown;
            if (when === 'before') return Promise.reject(died);
            const taken = Promise.resolve(Reflect.apply(method, methods, parameters));
            return taken.then(() => Promise.reject(died));
          };
        },
      });
    },
  });
  return { stripe, calls };
}

describe('a second payment of somebody who is on Plus', () => {
  test('is given back, its subscription ended, and the row leads to the first', async () => {
    const sessions = [await openSession(), await openSession()] as const;
    const first = await pay(sessions[0]);
    const second = await pay(sessions[1]);

    const reconciled = await look();

    expect(reconciled?.row).toMatchObject({ plan: 'plus', stripe_subscription_id: first });
    expect((await subscription(first)).status).toBe('active');
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded', user_id: 'ada' },
    });
    expect(await refunds()).toEqual([PRICE]);
    const status = readSessionStatus({ plans, billing });
    const told = async (id: string) =>
      (await call(status, { user: 'ada', query: { session_id: id } })).body['refunded'];
    expect([await told(sessions[0].id), await told(sessions[1].id)]).toEqual([false, true]);
  });

  test('costs nobody else a question to Stripe: one subscription is one list', async () => {
    await buy();
    const { stripe, calls } = dying();
    await look(over(stripe));
    expect(calls).toEqual(['subscriptions.list']);
  });

  const steps = [
    'mark it found',
    'read its invoices',
    'read their payments',
    'refund',
    'end it',
    'mark it refunded',
  ];
  test.each(
    steps.flatMap((step, index) => [
      { step, at: index + 1, when: 'before' as const },
      { step, at: index + 1, when: 'after' as const },
    ]),
  )('is given back once when the function dies $when it could $step', async ({ at, when }) => {
    const [first, second] = [await buy(), await buy()];
    const { stripe, calls } = dying({ at, when });
    await expect(look(over(stripe))).rejects.toThrow('The function was killed.');
    expect(calls).toHaveLength(at + 1);
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: first });

    await look();
    await look();

    expect(await refunds()).toEqual([PRICE]);
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded' },
    });
    expect((await subscription(first)).status).toBe('active');
  });

  test('is given back once by two functions at the same moment', async () => {
    const [first, second] = [await buy(), await buy()];
    await Promise.all([look(), look(), look()]);
    expect(await refunds()).toEqual([PRICE]);
    expect((await subscription(second)).status).toBe('canceled');
    expect(plans.rows.get('ada')?.stripe_subscription_id).toBe(first);
  });

  test('is given back though its subscription was ended before that could be done', async () => {
    const [, second] = [await buy(), await buy()];
    const { stripe } = dying({ at: 1, when: 'after' });
    await expect(look(over(stripe))).rejects.toThrow('The function was killed.');
    await world.stripe.subscriptions.cancel(second);
    await look();
    expect(await refunds()).toEqual([PRICE]);
  });

  test('that support has given back already is not given back again', async () => {
    const [, second] = [await buy(), await buy()];
    await world.stripe.refunds.create({ payment_intent: await paymentOf(second) });
    await look();
    expect(await refunds()).toEqual([PRICE]);
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded' },
    });
  });

  test('that its bank is fetching back is left to the bank, and its subscription ended', async () => {
    const [, second] = [await buy(), await buy('4000 0000 0000 0259')];
    await look();
    expect(await refunds()).toEqual([]);
    expect((await subscription(second)).status).toBe('canceled');
  });

  test('is given back for the period that is not over, and not for those that were used', async () => {
    await buy();
    const second = await buy();
    await world.clock.advance(32 * DAY);
    await look();
    const given = (await world.stripe.refunds.list()).data.map(({ payment_intent }) => payment_intent);
    expect(given).toEqual([await paymentOf(second)]);
  });

  test('is kept where the first one is not paid any more: that one is ended, and nothing was taken for it', async () => {
    const first = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    const second = await buy();
    await look();
    expect(await refunds()).toEqual([]);
    expect(await subscription(first)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'nothing-taken' },
    });
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: second });
  });

  test('shows on the list of invoices as given back', async () => {
    await buy();
    await buy();
    await look();
    expect(
      (await billing.invoicesOf(customer)).map(({ status, amount, refunded }) => [status, amount, refunded]),
    ).toEqual([
      ['paid', PRICE, PRICE],
      ['paid', PRICE, undefined],
    ]);
  });

  test('that Stripe cannot give back now is tried again, and ends nothing until then', async () => {
    const [, second] = [await buy(), await buy()];
    const create = vi.spyOn(world.stripe.refunds, 'create').mockRejectedValueOnce(new Error('Out of reach.'));
    await expect(look()).rejects.toThrow('Out of reach.');
    expect((await subscription(second)).status).toBe('active');
    await look();
    expect(create).toHaveBeenCalledTimes(2);
    expect((await subscription(second)).status).toBe('canceled');
  });
});

describe('the price', () => {
  test.each([
    ['another amount', { unit_amount: PRICE - 100, currency: 'usd' }],
    ['another currency', { unit_amount: PRICE, currency: 'eur' }],
  ])('of %s that somebody put in Stripe is replaced by the one the site shows', async (_, wrong) => {
    const made = await world.stripe.prices.create({
      ...wrong,
      lookup_key: 'plus_monthly',
      recurring: { interval: 'month' },
      product_data: { name: 'Plus' },
    });
    expect((await openSession()).amount).toBe(PRICE);
    const { data } = await world.stripe.prices.list({ lookup_keys: ['plus_monthly'] });
    expect(data).toMatchObject([{ unit_amount: PRICE, currency: 'usd', product: made.product }]);
  });

  test('that was archived is made anew', async () => {
    await openSession();
    const [price] = (await world.stripe.prices.list({ lookup_keys: ['plus_monthly'] })).data;
    await world.stripe.prices.update(price?.id ?? '', { active: false });
    expect((await openSession()).amount).toBe(PRICE);
  });
});

describe('a subscription that ended while it owed', () => {
  /** One whose renewal has failed, and the invoice that is open. */
  const owing = async (): Promise<[Subscription, string]> => {
    const id = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    await world.service.allDelivered();
    const [past] = await billing.subscriptionsOf(customer);
    if (past?.status !== 'past_due') throw new Error(`It is ${past?.status}.`);
    const { data: open } = await world.stripe.invoices.list({ subscription: id, status: 'open' });
    return [past, open[0]?.id ?? ''];
  };
  const endOwing = async (): Promise<string> => {
    const [past, invoice] = await owing();
    await billing.cancelUnpaid(past);
    return invoice;
  };
  const payBySomeCard = async (invoice: string): Promise<void> => {
    const { id: payment_method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer });
    await world.stripe.invoices.pay(invoice, { payment_method });
  };

  test('gives back what was paid between the look and the end, and that alone', async () => {
    const [past, invoice] = await owing();
    await payBySomeCard(invoice);
    await billing.cancelUnpaid(past);
    await billing.cancelUnpaid(past);
    await look();
    expect(await refunds()).toEqual([PRICE]);
    const { data: charges } = await world.stripe.charges.list({ customer });
    expect(charges.map(({ paid, refunded }) => [paid, refunded])).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ]);
  });

  test('has nothing left that could be paid', async () => {
    const invoice = await endOwing();
    await look();
    expect((await world.stripe.invoices.retrieve(invoice)).status).toBe('void');
    expect(await refunds()).toEqual([]);
  });

  test('gives back what was paid for it after its end', async () => {
    const invoice = await endOwing();
    await world.clock.advance(1_000);
    await payBySomeCard(invoice);
    await look();
    expect(await refunds()).toEqual([PRICE]);
  });

  test('is dealt with once, and asked about no more', async () => {
    await endOwing();
    await look();
    const { stripe, calls } = dying();
    await look(over(stripe));
    expect(calls).toEqual(['subscriptions.list']);
  });
});

describe('cancelling and renewing at Stripe', () => {
  test('a cancellation of Stripe’s portal, which is a date alone, is lifted', async () => {
    const id = await buy();
    await world.stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    expect((await look())?.row.plan_expires_at).toMatch(/^2030-02-15/);
    await billing.undoCancellation(id);
    expect(await subscription(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    expect((await look())?.row).not.toHaveProperty('plan_expires_at');
  });

  test('one that has ended meanwhile is neither cancelled nor revived, and that is no fault', async () => {
    const id = await buy();
    await world.stripe.subscriptions.cancel(id);
    expect(await billing.cancelAtPeriodEnd(id)).toMatchObject({ status: 'canceled' });
    await billing.undoCancellation(id);
    expect((await subscription(id)).status).toBe('canceled');
  });

  test('one that Stripe refuses to cancel for any other reason is a fault', async () => {
    await expect(billing.cancelAtPeriodEnd('sub_nobody')).rejects.toThrow('No such subscription');
  });
});

describe('a new card for a payment that failed', () => {
  const enter = (address: string, number: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number, expiry: '12 / 50', cvc: '123', name: 'Ada' }),
    });

  const failed = async (): Promise<string> => {
    const id = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    expect((await subscription(id)).status).toBe('past_due');
    return id;
  };

  test('is entered on Stripe’s page, which leads back, and pays at the next try', async () => {
    const id = await failed();
    const url = String(await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard'));
    expect(await (await fetch(url)).text()).toContain('ending in 0341');

    const refused = await enter(`${url}/card`, '4000 0000 0000 0002');
    expect(await refused.json()).toMatchObject({ kind: 'refused', message: 'Your card was declined.' });
    const taken = await enter(`${url}/card`, '4242 4242 4242 4242');
    expect(await taken.json()).toEqual({ kind: 'done', returnUrl: 'https://selfsame.example/dashboard' });

    expect((await subscription(id)).status).toBe('past_due');
    await world.clock.advance(3 * DAY);
    expect((await subscription(id)).status).toBe('active');
  });

  test('keeps the card that is charged until another one is entered', async () => {
    const id = await buy();
    await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard');
    await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard');
    await world.clock.advance(32 * DAY);
    expect((await subscription(id)).status).toBe('active');
  });

  test('needs no click in Stripe’s dashboard: the portal is made once', async () => {
    await buy();
    await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard');
    await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard');
    const { data } = await world.stripe.billingPortal.configurations.list();
    expect(data.map(({ metadata, features }) => [metadata, features.subscription_cancel.enabled])).toEqual([
      [{ purpose: 'selfsame-card' }, false],
    ]);
  });

  test('is not asked of a customer that is gone', async () => {
    await billing.deleteCustomer(customer);
    expect(await billing.cardUpdateUrl(customer, 'https://selfsame.example/dashboard')).toBeUndefined();
  });

  test('pays at once on the page of the invoice that is open', async () => {
    const id = await failed();
    const [open] = await billing.invoicesOf(customer);
    expect(open?.status).toBe('open');
    const address = String(open?.hosted_invoice_url);
    expect(await (await fetch(address)).text()).toContain(`Pay ${PRICE_WITH_CENTS}`);

    expect((await enter(`${address}/pay`, '4000 0000 0000 9995')).status).toBe(402);
    expect((await enter(`${address}/pay`, '4242 4242 4242 4242')).status).toBe(200);
    expect((await enter(`${address}/pay`, '4242 4242 4242 4242')).status).toBe(200);

    expect((await subscription(id)).status).toBe('active');
    expect((await world.stripe.charges.list({ customer })).data.filter(({ paid }) => paid)).toHaveLength(2);
  });
});
