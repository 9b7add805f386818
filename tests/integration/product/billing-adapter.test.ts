import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import { priceLookupKey } from '../../../functions/adapters/stripe/price-of-plus.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { readSessionStatus } from '../../../functions/api/session-status.ts';
import { agreementIn, agreementToday } from '../../../functions/domain/agreement.ts';
import { isPaymentProcessing, type Subscription } from '../../../functions/domain/subscription.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { call } from '../../fixtures/fakes/http-event.ts';
import { failingStripe } from '../../fixtures/fakes/failing-stripe.ts';
import { PRICE, PRICE_WITH_CENTS } from '../../fixtures/fakes/price-of-plus.ts';
import { DAY, type StripeStandIn, startStripe } from '../../fixtures/worlds/stripe-stand-in.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { plans as offers } from '../../../schemas/product.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { type MemoryPlans, memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

let world: StripeStandIn;
let plans: MemoryPlans;
let billing: Billing;
let customer: string;

const over = (stripe: Stripe): Billing =>
  billingOver(async () => ({ stripe, webhookSecret: 'whsec_local' }), STAGE);

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  world = await startStripe();
  plans = memoryPlans();
  billing = over(world.stripe);
  customer = await billing.createCustomer({ userId: 'ada', email: 'ada@example.com' });
  plans.put({ id: 'ada', billing_customer_id: customer, version: 1 });
});
afterEach(() => world.close());

const row = (): UserPlan => {
  const stored = plans.rows.get('ada');
  if (!stored) throw new Error('There is no row.');
  return stored;
};

const reconcileAda = (through: Billing = billing) =>
  reconcile({ plans, billing: through, tasks: memoryTasks() }, 'ada', world.clock.now(), {
    trigger: 'test',
  });

const openSession = async () => {
  const returnUrl = 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}';
  const session = await billing.openCheckout({
    customerId: customer,
    userId: 'ada',
    returnUrl,
    automaticTax: false,
  });
  if (!session || session === 'other-currency') throw new Error('Stripe opened no session.');
  return session;
};

/** Pays a session as its page does. Resolves with the subscription's id. */
const pay = async (
  { id, clientSecret }: { id: string; clientSecret: string | undefined },
  number?: string,
) => {
  // Payments of the same second have no order.
  await world.clock.advance(1_000);
  await world.submitCard({ client_secret: clientSecret ?? '' }, number ? { number } : {});
  return (await billing.checkout(id, 'ada'))?.subscription?.id ?? '';
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

test('a business that buys has its name on its invoices', async () => {
  const session = await openSession();
  await world.submitCard({ client_secret: session.clientSecret ?? '' }, { business: 'Analytical Engines' });
  const { data } = await world.stripe.invoices.list({ customer });
  expect(data.map(({ customer_name }) => customer_name)).toEqual(['Analytical Engines']);
  const page = await (await fetch(String(data[0]?.hosted_invoice_url))).text();
  expect(page).toContain('Analytical Engines, ada@example.com');
});

test('what a buyer agreed to stands above the button, and stays with the subscription without its customer', async () => {
  const session = await openSession();
  const page = await (await fetch(`${world.origin}/embedded/${session.clientSecret ?? ''}`)).text();
  expect(page).toContain(
    `${offers.plus.price} today, and ${offers.plus.price} on this day of every ${offers.plus.interval}`,
  );
  expect(page).toContain('href="http://localhost:3000/terms"');
  const id = await pay(session);
  expect(await billing.subscriptionsOf(customer, row())).toMatchObject([{ id, agreement: agreementToday }]);

  await billing.deleteCustomer(customer, row());

  expect(agreementIn((await subscription(id)).metadata)).toEqual(agreementToday);
});

test('a customer gets another address, and a deleted one is left alone', async () => {
  await billing.setCustomerEmail(customer, 'ada@new.example');
  expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ email: 'ada@new.example' });
  await billing.deleteCustomer(customer, row());
  await expect(billing.setCustomerEmail(customer, 'ada@third.example')).resolves.toBeUndefined();
});

describe('a second payment on Plus', () => {
  test('is refunded and its subscription ended, and the row keeps the first subscription', async () => {
    const sessions = [await openSession(), await openSession()] as const;
    const first = await pay(sessions[0]);
    const second = await pay(sessions[1]);

    const reconciled = await reconcileAda();

    expect(reconciled?.row).toMatchObject({ plan: 'plus', stripe_subscription_id: first });
    expect((await subscription(first)).status).toBe('active');
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded', ...markOf(STAGE, 'ada') },
    });
    expect(await refunds()).toEqual([PRICE]);
    const status = readSessionStatus({ plans, billing, tasks: memoryTasks() });
    const refundedFor = async (id: string) =>
      (await call(status, { user: 'ada', query: { session_id: id } })).body['refunded'];
    expect([await refundedFor(sessions[0].id), await refundedFor(sessions[1].id)]).toEqual([false, true]);
  });

  test('needs no further call to Stripe if there is only one subscription', async () => {
    await buy();
    const { stripe, calls } = failingStripe(world.stripe);
    await reconcileAda(over(stripe));
    expect(calls).toEqual(['subscriptions.list']);
  });

  const steps = [
    'mark it as found',
    'read its invoices',
    'read their payments',
    'refund',
    'end the subscription',
    'mark it as refunded',
  ];
  test.each(
    steps.flatMap((step, index) => [
      { step, at: index + 1, when: 'before' as const },
      { step, at: index + 1, when: 'after' as const },
    ]),
  )('is refunded once if the connection is lost $when it could $step', async ({ at, when }) => {
    const [first, second] = [await buy(), await buy()];
    const { stripe, calls } = failingStripe(world.stripe, { at, when });
    await reconcileAda(over(stripe));
    expect(calls.length).toBeGreaterThan(at);
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: first });

    await reconcileAda();
    await reconcileAda();

    expect(await refunds()).toEqual([PRICE]);
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded' },
    });
    expect((await subscription(first)).status).toBe('active');
  });

  test('is refunded once by concurrent reconciliations', async () => {
    const [first, second] = [await buy(), await buy()];
    await Promise.all([reconcileAda(), reconcileAda(), reconcileAda()]);
    expect(await refunds()).toEqual([PRICE]);
    expect((await subscription(second)).status).toBe('canceled');
    expect(plans.rows.get('ada')?.stripe_subscription_id).toBe(first);
  });

  test('is refunded even if its subscription was ended before the refund', async () => {
    const [, second] = [await buy(), await buy()];
    // The fourth call is the refund.
    const { stripe } = failingStripe(world.stripe, { at: 4, when: 'before' });
    await reconcileAda(over(stripe));
    expect((await subscription(second)).status).toBe('canceled');
    expect(await refunds()).toEqual([]);
    await reconcileAda();
    expect(await refunds()).toEqual([PRICE]);
  });

  test('is not refunded again if support has refunded it', async () => {
    const [, second] = [await buy(), await buy()];
    await world.stripe.refunds.create({ payment_intent: await paymentOf(second) });
    await reconcileAda();
    expect(await refunds()).toEqual([PRICE]);
    expect(await subscription(second)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'refunded' },
    });
  });

  test('is not refunded while it is disputed, and its subscription is ended', async () => {
    const [, second] = [await buy(), await buy('4000 0000 0000 0259')];
    await reconcileAda();
    expect(await refunds()).toEqual([]);
    expect((await subscription(second)).status).toBe('canceled');
  });

  test('is refunded for every period since the first was bought', async () => {
    await buy();
    const second = await buy();
    await world.clock.advance(32 * DAY);
    await reconcileAda();
    expect(await refunds()).toHaveLength(2);
    const paid = await world.stripe.invoices.list({ subscription: second, status: 'paid' });
    expect(paid.data).toHaveLength(2);
  });

  test('is kept if the first subscription is past_due, which is ended without a refund', async () => {
    const first = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    const second = await buy();
    await reconcileAda();
    expect(await refunds()).toEqual([]);
    expect(await subscription(first)).toMatchObject({
      status: 'canceled',
      metadata: { surplus: 'nothing-taken' },
    });
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: second });
  });

  test('is listed as refunded among the invoices', async () => {
    await buy();
    await buy();
    await reconcileAda();
    expect(
      (await billing.invoicesOf(customer)).map(({ status, amount, refunded }) => [status, amount, refunded]),
    ).toEqual([
      ['paid', PRICE, PRICE],
      ['paid', PRICE, undefined],
    ]);
  });

  test('ends even if the refund fails, which is tried again', async () => {
    const [, second] = [await buy(), await buy()];
    const create = vi.spyOn(world.stripe.refunds, 'create').mockRejectedValueOnce(new Error('Out of reach.'));
    expect((await reconcileAda())?.unsettled).toMatchObject({ message: 'Out of reach.' });
    expect((await subscription(second)).status).toBe('canceled');
    expect((await reconcileAda())?.unsettled).toBeUndefined();
    expect(create).toHaveBeenCalledTimes(2);
  });
});

test('an invoice is processing while the bank processes its payment, and not once that arrived', async () => {
  await buy('4000 0099 9900 0014');
  const shown = async () =>
    (await billing.invoicesOf(customer)).map(({ status, processing }) => [status, processing]);
  expect(await shown()).toEqual([['open', true]]);
  expect(isPaymentProcessing((await billing.subscriptionsOf(customer, row()))[0] as Subscription)).toBe(true);
  await world.clock.advance(4 * DAY);
  expect(await shown()).toEqual([['paid', undefined]]);
  expect(isPaymentProcessing((await billing.subscriptionsOf(customer, row()))[0] as Subscription)).toBe(
    false,
  );
});

describe('the price', () => {
  test.each([
    ['another amount', { unit_amount: PRICE - 100, currency: 'usd' }],
    ['another currency', { unit_amount: PRICE, currency: 'eur' }],
  ])('in Stripe with %s is replaced by the price that the site shows', async (_, wrong) => {
    const made = await world.stripe.prices.create({
      ...wrong,
      lookup_key: priceLookupKey(STAGE),
      recurring: { interval: 'month' },
      product_data: { name: 'Plus' },
    });
    expect((await openSession()).amount).toBe(PRICE);
    const { data } = await world.stripe.prices.list({ lookup_keys: [priceLookupKey(STAGE)] });
    expect(data).toMatchObject([{ unit_amount: PRICE, currency: 'usd', product: made.product }]);
  });

  test('is created again if it was archived', async () => {
    await openSession();
    const [price] = (await world.stripe.prices.list({ lookup_keys: [priceLookupKey(STAGE)] })).data;
    await world.stripe.prices.update(price?.id ?? '', { active: false });
    expect((await openSession()).amount).toBe(PRICE);
  });
});

describe('a past_due subscription that was ended', () => {
  /** Creates a subscription whose renewal has failed. Returns it with its open invoice. */
  const createPastDue = async (): Promise<[Subscription, string]> => {
    const id = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    await world.service.allDelivered();
    const [past] = await billing.subscriptionsOf(customer, row());
    if (past?.status !== 'past_due') throw new Error(`The subscription is ${past?.status}.`);
    const { data: open } = await world.stripe.invoices.list({ subscription: id, status: 'open' });
    return [past, open[0]?.id ?? ''];
  };
  const endPastDue = async (): Promise<string> => {
    const [past, invoice] = await createPastDue();
    await billing.cancelUnpaid(past);
    return invoice;
  };
  const payInvoice = async (invoice: string): Promise<void> => {
    const { id: payment_method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer });
    await world.stripe.invoices.pay(invoice, { payment_method });
  };

  test('is refunded only what was paid while it was being ended', async () => {
    const [past, invoice] = await createPastDue();
    await payInvoice(invoice);
    await billing.cancelUnpaid(past);
    await billing.cancelUnpaid(past);
    await reconcileAda();
    expect(await refunds()).toEqual([PRICE]);
    const { data: charges } = await world.stripe.charges.list({ customer });
    expect(charges.map(({ paid, refunded }) => [paid, refunded])).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ]);
  });

  test('has no invoice that could be paid', async () => {
    const invoice = await endPastDue();
    await reconcileAda();
    expect((await world.stripe.invoices.retrieve(invoice)).status).toBe('void');
    expect(await refunds()).toEqual([]);
  });

  test('is refunded what was paid after its end', async () => {
    const invoice = await endPastDue();
    await world.clock.advance(1_000);
    await payInvoice(invoice);
    await reconcileAda();
    expect(await refunds()).toEqual([PRICE]);
  });

  test('is settled once and needs no further calls', async () => {
    await endPastDue();
    await reconcileAda();
    const { stripe, calls } = failingStripe(world.stripe);
    await reconcileAda(over(stripe));
    expect(calls).toEqual(['subscriptions.list']);
  });
});

const onlyOne = <T>(list: readonly T[] | undefined): T => {
  const [only] = list ?? [];
  if (only === undefined || list?.length !== 1) throw new Error('Not one.');
  return only;
};

describe('cancelling and renewing at Stripe', () => {
  test('a cancellation with only a date, as the portal sets it, is undone', async () => {
    const id = await buy();
    await world.stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    const reconciled = await reconcileAda();
    expect(reconciled?.row.plan_expires_at).toMatch(/^2030-02-15/);
    const undone = await billing.undoCancellation(onlyOne(reconciled?.subscriptions));
    expect(undone).toMatchObject({ id, endsAt: undefined });
    expect(await subscription(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    expect((await reconcileAda())?.row).not.toHaveProperty('plan_expires_at');
  });

  test('a cancellation is undone that changed its kind since it was read', async () => {
    const id = await buy();
    await world.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const read = onlyOne((await reconcileAda())?.subscriptions);
    await world.stripe.subscriptions.update(id, { cancel_at_period_end: false });
    await world.stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    expect(await billing.undoCancellation(read)).toMatchObject({ endsAt: undefined });
    expect(await subscription(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  test('cancelling or renewing an ended subscription changes nothing and is no error', async () => {
    const id = await buy();
    const read = onlyOne((await reconcileAda())?.subscriptions);
    await world.stripe.subscriptions.cancel(id);
    expect(await billing.cancelAtPeriodEnd(read)).toMatchObject({ status: 'canceled' });
    expect(await billing.undoCancellation(read)).toMatchObject({ status: 'canceled' });
    expect((await subscription(id)).status).toBe('canceled');
  });

  test('another refusal by Stripe to cancel is an error', async () => {
    await buy();
    const read = onlyOne((await reconcileAda())?.subscriptions);
    await expect(billing.cancelAtPeriodEnd({ ...read, id: 'sub_nobody' })).rejects.toThrow(
      'No such subscription',
    );
  });
});

describe('updating the card', () => {
  const submit = (address: string, fields: object) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
  const enter = (address: string, number: string) =>
    submit(address, { number, expiry: '12 / 50', cvc: '123', name: 'Ada' });

  const returnTo = {
    page: 'card' as const,
    back: 'https://selfsame.example/dashboard',
    done: 'https://selfsame.example/dashboard?card=new',
  };

  const buyAndFailRenewal = async (): Promise<string> => {
    const id = await buy('4000 0000 0000 0341');
    await world.clock.advance(32 * DAY);
    expect((await subscription(id)).status).toBe('past_due');
    return id;
  };

  test('happens on Stripe’s page, which returns to the site, and the next try charges the new card', async () => {
    const id = await buyAndFailRenewal();
    const url = String(await billing.portalUrl(customer, row(), returnTo));
    const shown = await (await fetch(url)).text();
    expect(shown).toContain('ending in 0341');
    expect(shown).toContain(`href="${returnTo.back}"`);

    const refused = await enter(`${url}/card`, '4000 0000 0000 0002');
    expect(await refused.json()).toMatchObject({ kind: 'refused', message: 'Your card was declined.' });
    const cardOnFile = async () => {
      const [bought] = await billing.subscriptionsOf(customer, row());
      return bought && (await billing.paymentMethodOf(bought));
    };
    expect(await cardOnFile()).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '0341' } });
    const accepted = await enter(`${url}/card`, '4242 4242 4242 4242');
    expect(await accepted.json()).toEqual({ kind: 'done', returnUrl: returnTo.done });
    expect(await cardOnFile()).toMatchObject({ card: { last4: '4242', expMonth: 12, wallet: null } });

    expect((await subscription(id)).status).toBe('past_due');
    await world.clock.advance(3 * DAY);
    expect((await subscription(id)).status).toBe('active');
  });

  test('is asked for until Stripe stops trying, and then the subscription says so', async () => {
    await buyAndFailRenewal();
    const [failing] = await billing.subscriptionsOf(customer, row());
    expect(failing).toMatchObject({ amount: PRICE, currency: 'usd', endedByFailure: false });
    expect(failing?.nextTryAt).toBeGreaterThan(world.now());
    await world.clock.advance(32 * DAY);
    expect(await billing.subscriptionsOf(customer, row())).toMatchObject([
      { status: 'canceled', endsAt: undefined, endedByFailure: true, nextTryAt: undefined },
    ]);
  });

  test('keeps charging the old card until a new card is entered', async () => {
    const id = await buy();
    await billing.portalUrl(customer, row(), returnTo);
    await billing.portalUrl(customer, row(), returnTo);
    await world.clock.advance(32 * DAY);
    expect((await subscription(id)).status).toBe('active');
  });

  test('leaves the card of the subscription when only what invoices say is changed', async () => {
    const id = await buy();
    const before = (await subscription(id)).default_payment_method;
    const url = String(await billing.portalUrl(customer, row(), { ...returnTo, page: 'invoice-details' }));
    const details = {
      name: 'Analytical Engines Ltd',
      line1: '12 St James’s Square',
      city: 'London',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
      taxId: 'GB123456789',
    };
    const saved = await submit(`${url}/details`, details);
    expect(await saved.json()).toEqual({ kind: 'done', returnUrl: returnTo.done });
    expect((await subscription(id)).default_payment_method).toBe(before);
    expect((await enter(`${url}/card`, '4242 4242 4242 4242')).status).toBe(404);

    await world.clock.advance(32 * DAY);
    const [next, bought] = (await world.stripe.invoices.list({ customer })).data;
    expect(bought?.customer_tax_ids).toEqual([]);
    expect(next).toMatchObject({
      customer_name: 'Analytical Engines Ltd',
      customer_address: { line1: '12 St James’s Square', postal_code: 'SW1Y 4JH', country: 'GB' },
      customer_tax_ids: [{ type: 'gb_vat', value: 'GB123456789' }],
      total: PRICE,
    });
  });

  test('creates the portal’s configuration once', async () => {
    await buy();
    await billing.portalUrl(customer, row(), returnTo);
    await billing.portalUrl(customer, row(), returnTo);
    const { data } = await world.stripe.billingPortal.configurations.list();
    const [configuration, ...others] = data;
    expect(others).toEqual([]);
    expect(configuration?.metadata).toEqual({ purpose: 'billing', ...markOf(STAGE) });
    const { customer_update: details, ...features } = configuration?.features ?? {};
    expect(details).toEqual({ enabled: true, allowed_updates: ['name', 'address', 'tax_id'] });
    const enabled = Object.entries(features).filter(([, feature]) => feature.enabled);
    expect(enabled.map(([name]) => name)).toEqual(['payment_method_update']);
  });

  test('is not possible for a deleted customer', async () => {
    await billing.deleteCustomer(customer, row());
    expect(await billing.portalUrl(customer, row(), returnTo)).toBeUndefined();
  });

  test('is not needed to pay the open invoice on its page', async () => {
    const id = await buyAndFailRenewal();
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
