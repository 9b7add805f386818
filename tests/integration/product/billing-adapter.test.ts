import type { Stripe } from 'stripe';
import { describe, expect, test as base } from 'vitest';
import { idOf } from '../../../functions/adapters/stripe/id-of.ts';
import { agreementIn } from '../../../functions/domain/agreement.ts';
import { isPaymentProcessing, type Subscription } from '../../../functions/domain/subscription.ts';
import { createMissingPrices } from '../../../infra/operate/deploy/prices.ts';
import { mainOffer } from '../../../schemas/product/offers.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { AGREEMENT, PRICE } from '../../fixtures/fakes/main-offer.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';
import { type Ada, adapterFixtures, PAST_DUE_CARD } from './adapter-fixtures.ts';

const test = base.extend<Omit<MemoryFixtures, 'ada'> & { ada: Ada }>(adapterFixtures);

test('a business that buys has its name on its invoices', async ({ ada }) => {
  const { clientSecret } = await ada.openSession();
  await ada.world.stripe.submitCard({ client_secret: clientSecret }, { business: 'Analytical Engines' });
  const { data } = await ada.stripe.invoices.list({ customer: ada.cus });
  expect(data.map(({ customer_name }) => customer_name)).toEqual(['Analytical Engines']);
});

test('what a buyer agreed to stands above the button, and on the subscription', async ({ ada }) => {
  const session = await ada.openSession();
  const page = await (await fetch(`${ada.world.stripe.origin}/embedded/${session.clientSecret}`)).text();
  const { price, interval } = mainOffer;
  expect(page).toContain(`${price} today, and ${price} on this day of every ${interval}`);
  expect(page).toContain('href="http://localhost:3000/terms"');
  const { id } = await ada.pay(session);
  expect(await ada.found()).toMatchObject([{ id, agreement: AGREEMENT }]);
  await ada.adapter.deleteCustomer(ada.cus, await ada.stored());
  expect(agreementIn((await ada.atStripe(id)).metadata)).toEqual(AGREEMENT);
});

test('a customer gets another address, and a deleted one is left alone', async ({ ada }) => {
  await ada.adapter.setCustomerEmail(ada.cus, 'ada@new.example');
  expect(await ada.stripe.customers.retrieve(ada.cus)).toMatchObject({ email: 'ada@new.example' });
  await ada.adapter.deleteCustomer(ada.cus, await ada.stored());
  await expect(ada.adapter.setCustomerEmail(ada.cus, 'ada@third.example')).resolves.toBeUndefined();
});

test('deleting a customer ends its subscription, detaches its card, prevents purchases', async ({ ada }) => {
  const open = await ada.openSession();
  const { default_payment_method: card } = await ada.atStripe(await ada.subscribe());
  const row = await ada.stored();
  await ada.adapter.deleteCustomer(ada.cus, row);
  expect(await ada.world.stripe.submitCard({ client_secret: open.clientSecret })).toMatchObject({
    kind: 'refused',
  });
  expect((await ada.found()).map(({ state }) => state.kind)).toEqual(['canceled']);
  expect((await ada.stripe.paymentMethods.retrieve(idOf(card!))).customer).toBeNull();

  await ada.adapter.deleteCustomer(ada.cus, row);
  for (const ended of await ada.found()) await ada.adapter.cancelNow(ended);
  await ada.adapter.expireCheckout(open.id);
  await expect(ada.openSession()).rejects.toThrow('Stripe opened no session.');
  for (const gone of [ada.cus, 'cus_missing']) expect(await ada.adapter.ownerOf(gone)).toBeUndefined();
  expect(await ada.adapter.portalUrl(ada.cus, { page: 'card', back: '/', done: '/' })).toBeUndefined();
  // The invoices are kept.
  expect(await ada.adapter.invoicesOf(ada.cus)).toHaveLength(1);
});

test('an ended subscription whose invoices are voided says so the next time', async ({ ada }) => {
  const id = await ada.subscribe();
  await ada.adapter.cancelNow((await ada.found())[0]!);
  await ada.adapter.voidInvoices((await ada.found())[0]!);
  expect(await ada.found()).toMatchObject([{ id, invoicesVoided: true }]);
});

test('a user who deletes the account while a payment is due is never charged again', async ({ ada }) => {
  await ada.buyPlus(PAST_DUE_CARD);
  // The renewal fails, and Stripe is going to try again.
  await ada.world.advance(32 * DAY);
  const charges = async () => (await ada.stripe.charges.list({ limit: 100 })).data.length;
  const before = await charges();
  expect((await ada.deleteAccount()).body).toMatchObject({ subscriptionEnded: true, mailSent: true });
  await ada.world.advance(100 * DAY);
  expect(await charges()).toBe(before);
});

test('invoices are listed newest first, with links that work', async ({ ada }) => {
  await ada.subscribe();
  await ada.world.advance(32 * DAY);
  const invoices = await ada.adapter.invoicesOf(ada.cus);
  expect(
    invoices.map(({ date, amount, currency, status }) => [date.slice(0, 10), amount, currency, status]),
  ).toEqual([
    ['2030-02-15', PRICE, 'usd', 'paid'],
    ['2030-01-15', PRICE, 'usd', 'paid'],
  ]);
  expect(invoices[1]?.number).toMatch(/-0001$/);
  for (const link of [invoices[0]?.hosted_invoice_url, invoices[0]?.invoice_pdf]) {
    expect((await fetch(String(link))).status).toBe(200);
  }
  expect(await ada.adapter.invoicesOf('cus_nobody')).toEqual([]);
});

test('an invoice is processing while the bank processes its payment, and not after', async ({ ada }) => {
  await ada.subscribe('4000 0099 9900 0014');
  const shown = async () => {
    const [invoice] = await ada.adapter.invoicesOf(ada.cus);
    return [invoice?.status, invoice?.processing, isPaymentProcessing((await ada.found())[0]!)];
  };
  expect(await shown()).toEqual(['open', true, true]);
  await ada.world.advance(4 * DAY);
  expect(await shown()).toEqual(['paid', undefined, false]);
});

describe('taxes', () => {
  /** The checkout of a buyer in Germany, after the payment. */
  const buyIn = async (ada: Ada, automaticTax: boolean) => {
    const session = await ada.openSession(automaticTax);
    await ada.pay(session, { country: 'DE' });
    return (await ada.adapter.checkout(session.id))!;
  };
  const tax = PRICE - Math.round(PRICE / 1.19);

  test('that Stripe computes are within the site’s price, and are refunded with it', async ({ ada }) => {
    const { price, receiptUrl, subscription } = await buyIn(ada, true);
    expect(price).toEqual({ total: PRICE, tax, currency: 'usd' });
    expect(receiptUrl).toContain('/invoice');
    expect(await ada.adapter.invoicesOf(ada.cus)).toMatchObject([{ amount: PRICE, tax }]);
    await ada.adapter.refundAndCancel(subscription!, undefined);
    expect(await ada.adapter.invoicesOf(ada.cus)).toMatchObject([{ amount: PRICE, refunded: PRICE }]);
  });

  test('of payments after the account’s end are refunded, too', async ({ ada }) => {
    await buyIn(ada, true);
    await ada.adapter.refundSince(ada.cus, await ada.stored(), new Date(0));
    expect(await ada.adapter.invoicesOf(ada.cus)).toMatchObject([{ amount: PRICE, refunded: PRICE }]);
  });

  test('are in neither checkout nor invoice in a stage without them', async ({ ada }) => {
    const { price, automaticTax } = await buyIn(ada, false);
    expect({ price, automaticTax }).toEqual({
      price: { total: PRICE, tax: 0, currency: 'usd' },
      automaticTax: false,
    });
    expect((await ada.adapter.invoicesOf(ada.cus))[0]).not.toHaveProperty('tax');
  });
});

describe('the price', () => {
  const lookup_keys = [lookupKeyOf(STAGE, mainOffer)];

  test('that Stripe lacks is not sold, and no request creates it', async ({ ada }) => {
    const [price] = (await ada.stripe.prices.list({ lookup_keys })).data;
    await ada.stripe.prices.update(String(price?.id), { active: false });
    await expect(ada.openSession()).rejects.toThrow(`Stripe has no active price ${lookup_keys[0]}.`);
    expect((await ada.stripe.prices.list({ lookup_keys, active: true })).data).toEqual([]);
  });

  test('is looked up again if it was replaced', async ({ ada }) => {
    const first = await ada.openSession();
    const [price] = (await ada.stripe.prices.list({ lookup_keys })).data;
    await ada.stripe.prices.update(String(price?.id), { active: false, lookup_key: 'replaced' });
    await createMissingPrices(ada.stripe, STAGE);
    const second = await ada.openSession();
    const priceOf = async (session: typeof first) =>
      (await ada.atStripe((await ada.pay(session)).id)).items.data[0]?.price.id;
    expect(await priceOf(second)).toBe((await ada.stripe.prices.list({ lookup_keys })).data[0]?.id);
  });
});

describe('cancelling and renewing at Stripe', () => {
  const notEnding = { cancel_at: null, cancel_at_period_end: false };

  test('a cancellation with only a date, as the portal sets it, is undone', async ({ ada }) => {
    const id = await ada.subscribe();
    await ada.stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    const decided = await ada.decide();
    const [read] = decided?.subscriptions ?? [];
    expect(decided?.row.plan_expires_at).toMatch(/^2030-02-15/);
    expect(await ada.adapter.undoCancellation(read!)).toMatchObject({
      id,
      endsAt: undefined,
    });
    expect(await ada.atStripe(id)).toMatchObject(notEnding);
    await ada.decide();
    expect((await ada.row())?.plan_expires_at).toBeUndefined();
  });

  test('a cancellation is undone that changed its kind since it was read', async ({ ada }) => {
    const id = await ada.subscribe();
    await ada.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const [read] = (await ada.found()) as [Subscription];
    await ada.stripe.subscriptions.update(id, { cancel_at_period_end: false });
    await ada.stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    expect(await ada.adapter.undoCancellation(read)).toMatchObject({ endsAt: undefined });
    expect(await ada.atStripe(id)).toMatchObject(notEnding);
  });

  test('an ended subscription is left as it is, and another refusal is an error', async ({ ada }) => {
    const id = await ada.subscribe();
    const [read] = (await ada.found()) as [Subscription];
    await ada.stripe.subscriptions.cancel(id);
    expect(await ada.adapter.cancelAtPeriodEnd(read)).toMatchObject({ state: { kind: 'canceled' } });
    expect(await ada.adapter.undoCancellation(read)).toMatchObject({ state: { kind: 'canceled' } });
    await expect(ada.adapter.cancelAtPeriodEnd({ ...read, id: 'sub_nobody' })).rejects.toThrow(
      'No such subscription',
    );
  });
});

describe('Stripe’s page for the card', () => {
  const returnTo = {
    page: 'card' as const,
    back: 'https://selfsame.example/dashboard',
    done: 'https://selfsame.example/dashboard?card=new',
  };
  const submit = async (address: string, fields: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(fields) });
    return (await answer.json()) as object;
  };

  test('returns to the site, and the next try charges the new card', async ({ ada }) => {
    const id = await ada.subscribe(PAST_DUE_CARD);
    await ada.world.advance(32 * DAY);
    const cardOnFile = async () => ada.adapter.paymentMethodOf((await ada.found())[0]!);
    expect(await cardOnFile()).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '0341' } });
    const url = String(await ada.adapter.portalUrl(ada.cus, returnTo));
    expect(await (await fetch(url)).text()).toContain(`href="${returnTo.back}"`);
    const card = { number: '4242 4242 4242 4242', expiry: '12 / 50', cvc: '123', name: 'Ada' };
    expect(await submit(`${url}/card`, card)).toEqual({ kind: 'done', returnUrl: returnTo.done });
    expect(await cardOnFile()).toMatchObject({ card: { last4: '4242', expMonth: 12, wallet: null } });
    expect((await ada.atStripe(id)).status).toBe('past_due');
    await ada.world.advance(3 * DAY);
    expect((await ada.atStripe(id)).status).toBe('active');
  });

  test('has one configuration, and the old card is charged until a new card is entered', async ({ ada }) => {
    const id = await ada.subscribe();
    for (let count = 0; count < 2; count += 1) await ada.adapter.portalUrl(ada.cus, returnTo);
    const [configuration, ...others] = (await ada.stripe.billingPortal.configurations.list()).data;
    expect(others).toEqual([]);
    expect(configuration?.metadata).toEqual({ purpose: 'billing', ...markOf(STAGE) });
    const { customer_update: details, ...features } = configuration?.features ?? {};
    expect(details).toEqual({ enabled: true, allowed_updates: ['name', 'address', 'tax_id'] });
    const enabled = Object.entries(features).filter(([, feature]) => feature.enabled);
    expect(enabled.map(([name]) => name)).toEqual(['payment_method_update']);
    await ada.world.advance(32 * DAY);
    expect((await ada.atStripe(id)).status).toBe('active');
  });

  test('leaves the card of the subscription when only what invoices say is changed', async ({ ada }) => {
    const id = await ada.subscribe();
    const cardOf = async () => (await ada.atStripe(id)).default_payment_method;
    const before = await cardOf();
    const page = { ...returnTo, page: 'invoice-details' as const };
    const url = String(await ada.adapter.portalUrl(ada.cus, page));
    const address = { line1: '12 St James’s Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' };
    const details = { name: 'Analytical Engines Ltd', ...address, taxId: 'GB123456789' };
    expect(await submit(`${url}/details`, details)).toEqual({ kind: 'done', returnUrl: returnTo.done });
    expect(await cardOf()).toBe(before);
    await ada.world.advance(32 * DAY);
    const [next] = (await ada.stripe.invoices.list({ customer: ada.cus })).data as [Stripe.Invoice];
    expect(next).toMatchObject({ customer_name: 'Analytical Engines Ltd', total: PRICE });
    expect(next.customer_tax_ids).toMatchObject([{ type: 'gb_vat', value: 'GB123456789' }]);
  });
});
