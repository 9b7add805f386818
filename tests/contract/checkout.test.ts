import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { markOf } from '../../functions/domain/mark.ts';
import {
  giveCard,
  idOf,
  isTestMode,
  limitOf,
  metadata,
  expectInvalid,
  STAGE,
  useTarget,
  user,
  target,
  stripe,
} from './harness.ts';

// Addresses in the comments are those of Stripe's documents. The journeys certify the
// page's handling of a card, in a browser, against the stand-in's own page.

useTarget();

/** Opens a session as the adapter does. */
async function open(
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<{ customer: Stripe.Customer; price: Stripe.Price; session: Stripe.Checkout.Session }> {
  const customer = await target.createCustomer({ email: 'ada@example.com' });
  const price = await target.monthlyPrice();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    ui_mode: 'embedded_page',
    customer: customer.id,
    client_reference_id: user,
    line_items: [{ price: price.id, quantity: 1 }],
    return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    metadata,
    subscription_data: { metadata },
    ...changes,
  });
  return { customer, price, session };
}

describe('an embedded session', () => {
  // https://docs.stripe.com/api/checkout/sessions/create and
  // https://docs.stripe.com/api/checkout/sessions/object
  test('is open, with a client secret, its customer, its total and its metadata', async () => {
    const { customer, session } = await open();
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      client_secret: expect.stringContaining('_secret_') as string,
      url: null,
      customer: customer.id,
      amount_total: 500,
      metadata,
      client_reference_id: user,
    });
  });

  // https://docs.stripe.com/changelog/clover/2025-09-30/checkout-sessions-branding-settings
  test('has the colours and shapes that it was opened with', async () => {
    const look = { background_color: '#ffffff', button_color: '#14202f', border_style: 'rectangular' };
    const { session } = await open({ branding_settings: look });
    expect(session.branding_settings).toMatchObject(look);
  });

  // Adaptive Pricing "defaults to your dashboard setting", and the account may have Managed Payments on:
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-adaptive_pricing and
  // https://docs.stripe.com/changelog/dahlia/2026-04-22/managed-payments
  test('has none of the settings of its account that it was opened without', async () => {
    const settings = {
      adaptive_pricing: { enabled: false },
      allow_promotion_codes: false,
      automatic_tax: { enabled: false },
      billing_address_collection: 'auto',
      managed_payments: { enabled: false },
      phone_number_collection: { enabled: false },
    } as const;
    const { session } = await open({ ...settings, tax_id_collection: { enabled: false } });
    expect(session).toMatchObject(settings);
    expect(session.amount_total).toBe(500);
  });

  // "Only payment methods that are both dynamically eligible and present in this list will be offered to the
  // customer":
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-allowed_payment_method_types
  // This version of the API no longer has the parameter payment_method_types.
  test('offers only payment methods that it was opened with', async () => {
    const { session } = await open({ allowed_payment_method_types: ['card'] });
    expect(session.allowed_payment_method_types).toEqual(['card']);
    expect(session.payment_method_types).toEqual(['card']);
  });

  // "To enable tax ID collection for existing customers … set customer_update[name] to auto":
  // https://docs.stripe.com/tax/checkout/tax-ids
  test('asks for a business’s name and tax id, if it may change the customer’s name', async () => {
    const tax_id_collection = { enabled: true };
    const { session } = await open({ tax_id_collection, customer_update: { name: 'auto', address: 'auto' } });
    expect(session.tax_id_collection).toMatchObject({ enabled: true, required: 'never' });
    await expectInvalid(open({ tax_id_collection }));
  });

  // "Checkout […] requires a valid address on the Customer", or leave to save the entered address:
  // https://docs.stripe.com/tax/checkout. Stripe's test mode refuses all of it until the account has tax
  // settings: https://docs.stripe.com/tax/set-up
  test('has its taxes computed, within a price that includes them, if it may save the address', async () => {
    const { id: price } = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      tax_behavior: 'inclusive',
      product_data: { name: 'Plus', metadata, tax_code: 'txcd_10103000' },
    });
    const taxed = { automatic_tax: { enabled: true }, line_items: [{ price, quantity: 1 }] };
    const { session } = await open({ ...taxed, customer_update: { address: 'auto' } });
    expect(session).toMatchObject({
      amount_total: 500,
      automatic_tax: { enabled: true, status: 'requires_location_inputs' },
      total_details: { amount_tax: 0 },
    });
    await expectInvalid(open(taxed), { code: 'customer_tax_location_invalid' });
  });

  // https://docs.stripe.com/api/expanding_objects
  test('has no subscription before it is paid, expanded or not', async () => {
    const { session } = await open();
    const read = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(read.subscription).toBeNull();
  });

  // https://docs.stripe.com/api/checkout/sessions/expire: "A Checkout Session can be expired when it is in
  // one of these statuses: open. After it expires, a customer can't complete a Checkout Session".
  test('is expired once', async () => {
    const { session } = await open();
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    await expectInvalid(stripe.checkout.sessions.expire(session.id));
  });

  // https://docs.stripe.com/api/prices/object#price_object-active: "Whether the price can be used for new
  // purchases".
  test('isn’t opened for an archived price', async () => {
    const price = await target.monthlyPrice();
    await stripe.prices.update(price.id, { active: false });
    await expectInvalid(open({ line_items: [{ price: price.id, quantity: 1 }] }));
  });

  // https://docs.stripe.com/api/checkout/sessions/object#checkout_session_object-subscription and
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-subscription_data-metadata
  test('that is paid is complete, with an active subscription that has the metadata', async (context) => {
    const { session } = await open();
    if (!target.pay) {
      context.skip(limitOf('page'));
      return;
    }
    await target.pay(session);
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      subscription: { object: 'subscription', status: 'active', metadata },
      customer_details: { email: 'ada@example.com' },
    });
    await expectInvalid(stripe.checkout.sessions.expire(session.id));
  });
});

describe('a price', () => {
  const lookup_key = `contract_${process.pid}_${Date.now()}`;

  // https://docs.stripe.com/products-prices/manage-prices#lookup-keys and
  // https://docs.stripe.com/api/prices/list#list_prices-lookup_keys
  test('is found by its lookup key', async () => {
    const { id } = await target.monthlyPrice();
    await stripe.prices.update(id, { lookup_key });
    const { data } = await stripe.prices.list({ lookup_keys: [lookup_key], active: true, limit: 1 });
    expect(data).toMatchObject([{ id, unit_amount: 500, currency: 'usd', recurring: { interval: 'month' } }]);
  });

  // "If set to true, will atomically remove the lookup key from the existing price, and assign it to this
  // price": https://docs.stripe.com/api/prices/create#create_price-transfer_lookup_key
  test('of a new amount takes the lookup key over', async () => {
    const { id, product } = await target.monthlyPrice();
    await stripe.prices.update(id, { lookup_key, transfer_lookup_key: true });
    const dearer = await stripe.prices.create({
      lookup_key,
      transfer_lookup_key: true,
      currency: 'usd',
      unit_amount: 600,
      recurring: { interval: 'month' },
      product: idOf(product),
    });
    const { data } = await stripe.prices.list({ lookup_keys: [lookup_key], active: true });
    expect(data.map((price) => price.id)).toEqual([dearer.id]);
    const ofProduct = await stripe.prices.list({ product: idOf(product) });
    expect(ofProduct.data.find((price) => price.id === id)).toMatchObject({ lookup_key: null });
    await stripe.prices.update(dearer.id, { active: false });
  });
});

describe('our mark', () => {
  // https://docs.stripe.com/api/prices/create#create_price-metadata and
  // https://docs.stripe.com/api/prices/create#create_price-product_data-metadata
  test('is kept on a price and on the product that is created with it', async () => {
    const mark = markOf(STAGE);
    const made = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      metadata: mark,
      product_data: { name: 'Plus', metadata: mark },
    });
    const product = idOf(made.product);
    const { data } = await stripe.prices.list({ product, expand: ['data.product'] });
    expect(data).toMatchObject([{ id: made.id, metadata: mark, product: { id: product, metadata: mark } }]);
    await stripe.prices.update(made.id, { active: false });
  });

  // "items.data.price": https://docs.stripe.com/api/subscriptions/object#subscription_object-items-data-price
  test('is on the price in a list of subscriptions, without being expanded', async () => {
    const customer = await target.createCustomer();
    await giveCard(customer.id, 'pm_card_visa');
    const { id: price } = await target.monthlyPrice();
    await stripe.prices.update(price, { metadata: markOf(STAGE) });
    await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
    const { data } = await stripe.subscriptions.list({ customer: customer.id, status: 'all' });
    expect(data[0]?.items.data[0]?.price.metadata).toMatchObject(markOf(STAGE));
  });
});

describe('what a deployment sets', () => {
  // "Once specified as either inclusive or exclusive, it cannot be changed":
  // https://docs.stripe.com/api/prices/object#price_object-tax_behavior
  test('lets a price include taxes, once and for all, and gives its product a tax code', async () => {
    const { id, product } = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'Plus', metadata },
    });
    expect(await stripe.prices.update(id, { tax_behavior: 'inclusive' })).toMatchObject({
      tax_behavior: 'inclusive',
    });
    await expectInvalid(stripe.prices.update(id, { tax_behavior: 'exclusive' }), {});
    const tax_code = 'txcd_10103000';
    expect(await stripe.products.update(idOf(product), { tax_code })).toMatchObject({ tax_code });
    await stripe.products.update(idOf(product), { active: false });
  });

  // https://docs.stripe.com/api/tax/settings/retrieve and https://docs.stripe.com/api/tax/registrations/all
  test('can be read before: the account’s tax settings, and its registrations', async () => {
    const { tax } = target.stripe;
    expect(['active', 'pending']).toContain((await tax.settings.retrieve()).status);
    for (const { status } of (await tax.registrations.list({ status: 'active', limit: 10 })).data) {
      expect(status).toBe('active');
    }
  });

  // https://docs.stripe.com/api/payment_method_domains and
  // https://docs.stripe.com/payments/payment-methods/pmd-registration
  test('registers a domain for wallets, finds it by its name, and switches and validates it', async () => {
    const { paymentMethodDomains: domains } = target.stripe;
    const domain_name = 'selfsame-contract.example.com';
    const { id } = await domains.create({ domain_name });
    expect((await domains.list({ domain_name })).data).toMatchObject([{ id, domain_name, enabled: true }]);
    const { apple_pay, google_pay, link } = await domains.validate(id);
    for (const { status } of [apple_pay, google_pay, link]) expect(['active', 'inactive']).toContain(status);
    expect(await domains.update(id, { enabled: false })).toMatchObject({ enabled: false });
  });
});

describe('the customer portal', () => {
  // https://docs.stripe.com/api/customer_portal/configurations/create
  const configure = (): Promise<Stripe.BillingPortal.Configuration> =>
    stripe.billingPortal.configurations.create({
      features: {
        customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
        payment_method_update: { enabled: true },
      },
      metadata: { purpose: 'selfsame-contract' },
    });

  // https://docs.stripe.com/api/customer_portal/configurations/list and
  // https://docs.stripe.com/api/customer_portal/configurations/update. Configurations can't be deleted.
  test('has a configuration that is found by its metadata, and takes other parameters later', async () => {
    const { id } = await configure();
    const found = await stripe.billingPortal.configurations
      .list({ active: true, limit: 100 })
      .autoPagingToArray({ limit: 1_000 });
    expect(found.find((each) => each.id === id)).toMatchObject({
      active: true,
      metadata: { purpose: 'selfsame-contract' },
      features: {
        customer_update: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: false },
      },
    });
    const features = { invoice_history: { enabled: true }, payment_method_update: { enabled: true } };
    expect(await stripe.billingPortal.configurations.update(id, { features })).toMatchObject({
      features,
    });
    await retire(id);
  });

  // https://docs.stripe.com/customer-management/portal-deep-links, and for what invoices say
  // https://docs.stripe.com/changelog/dahlia/2026-08-26/adds-a-customer-update-deep-link-for-billing-portal-sessions
  test.each([
    ['changes the card', 'payment_method_update'],
    ['changes what invoices say', 'customer_update'],
  ] as const)('has an address of Stripe for a customer, with the flow that %s', async (_, type) => {
    const { id } = await target.createCustomer();
    const { id: configuration } = await configure();
    const return_url = 'https://selfsame.example/dashboard';
    const session = await stripe.billingPortal.sessions.create({
      customer: id,
      configuration,
      return_url,
      flow_data: {
        type,
        after_completion: { type: 'redirect', redirect: { return_url } },
      },
    });
    expect(session).toMatchObject({
      customer: id,
      url: expect.stringMatching(/^https?:/) as string,
      return_url,
      flow: { type },
    });
    await retire(configuration);
  });

  // https://docs.stripe.com/error-codes#resource-missing. The adapter then looks for another configuration.
  test('is refused for a configuration that never existed', async () => {
    const { id: customer } = await target.createCustomer();
    await expectInvalid(
      stripe.billingPortal.sessions.create({
        customer,
        configuration: 'bpc_ofTheContract',
        return_url: 'https://selfsame.example/dashboard',
      }),
      {},
    );
  });

  /** Leaves no active configuration in an account that is kept. */
  async function retire(id: string): Promise<void> {
    if (isTestMode) await stripe.billingPortal.configurations.update(id, { active: false });
  }
});
