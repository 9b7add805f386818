import { createMissingPrices } from '../../../../../infra/operate/deploy/prices.ts';
import { mainOffer } from '../../../../../schemas/product/offers.ts';
import { Stripe } from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { billingOver } from '../../../../../functions/adapters/stripe/stripe-billing.ts';
import { markOf } from '../../../../../functions/domain/mark.ts';
import { Clock } from '../../../../../infra/local/base/clock.ts';
import { answerApi } from '../../../../../infra/local/vendors/stripe/api.ts';
import { decodeForm, type Form } from '../../../../../infra/local/vendors/stripe/form.ts';
import { Ledger } from '../../../../../infra/local/vendors/stripe/ledger.ts';
import { STAGE } from '../../../../fixtures/fakes/stage.ts';
import { accountDefaults } from './account-defaults.ts';
import { inProcess } from '../../../../../infra/local/in-process/stripe-client.ts';
import { MemoryStore } from '../../../../simulation/world/memory-store.ts';

const RETURN_URL = 'https://selfsame.example/return?session_id={CHECKOUT_SESSION_ID}';

/** The form of the last request to each path. */
const sent = new Map<string, Form>();
let session: Stripe.Checkout.Session;

beforeAll(async () => {
  const state = { clock: new Clock(), store: new MemoryStore(), onCommit: () => {} };
  const ledger = new Ledger({ ...state, origin: 'http://stripe.local' });
  const stripe = new Stripe('sk_test_unit', {
    telemetry: false,
    httpClient: inProcess((request) => {
      if (request.method === 'POST') sent.set(request.url.pathname, decodeForm(request.body));
      return answerApi(ledger, 'sk_test_unit', request);
    }),
  });
  const billing = billingOver(async () => ({ stripe, webhookSecret: 'whsec_unit' }), STAGE);
  const userId = 'ada';
  await createMissingPrices(stripe, STAGE);
  const customerId = await billing.createCustomer({ userId, email: 'ada@example.com' });
  const order = { offer: mainOffer, customerId, userId, automaticTax: false };
  const checkout = await billing.createSession({ ...order, returnUrl: RETURN_URL });
  if (!checkout || checkout === 'other-currency') throw new Error('Stripe opened no session.');
  session = await stripe.checkout.sessions.retrieve(checkout.id);
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customerId });
  const [price] = (await stripe.prices.list()).data;
  await stripe.subscriptions.create({
    customer: customerId,
    items: [{ price: price?.id ?? '' }],
    default_payment_method: card,
    metadata: markOf(STAGE, userId),
  });
  const back = 'https://selfsame.example/dashboard';
  await billing.portalUrl(customerId, { page: 'card', back, done: back });
});

const NOT_USED = 'Not part of the request: nothing here asks for it.';
const PAYMENT_MODE = 'Sessions in payment mode only.';
const NO_SUCH_METHOD = 'A payment method that the session doesn’t allow.';

/** The requests of the product, and the reason for each parameter that is left to Stripe's account. */
const requests = [
  {
    path: '/v1/checkout/sessions',
    file: 'Checkout/Sessions.d.ts',
    type: 'SessionCreateParams',
    reasons: {
      'after_expiration.recovery.enabled': NOT_USED,
      'consent_collection.terms_of_service': NOT_USED,
      excluded_payment_method_types: 'Stripe refuses it beside allowed_payment_method_types.',
      'invoice_creation.enabled': PAYMENT_MODE,
      'line_items.adjustable_quantity.enabled': NOT_USED,
      'optional_items.adjustable_quantity.enabled': NOT_USED,
      'payment_intent_data.receipt_email': PAYMENT_MODE,
      'payment_intent_data.statement_descriptor': PAYMENT_MODE,
      'payment_method_options.card.installments.enabled': 'Stripe has no instalments in subscriptions.',
      'payment_method_options.p24.tos_shown_and_accepted': NO_SUCH_METHOD,
      'payment_method_options.paypal.reference': NO_SUCH_METHOD,
    },
  },
  {
    path: '/v1/billing_portal/configurations',
    file: 'BillingPortal/Configurations.d.ts',
    type: 'ConfigurationCreateParams',
    reasons: {
      'business_profile.privacy_policy_url': 'A link on Stripe’s page, and no charge.',
      'business_profile.terms_of_service_url': 'A link on Stripe’s page, and no charge.',
      'features.payment_method_update.payment_method_configuration':
        'Which kinds of cards the page takes. The next payment charges the price all the same.',
      'features.subscription_cancel.cancellation_reason.enabled': 'The feature is off.',
      'features.subscription_update.products.adjustable_quantity.enabled': 'The feature is off.',
    },
  },
  {
    path: '/v1/billing_portal/sessions',
    file: 'BillingPortal/Sessions.d.ts',
    type: 'SessionCreateParams',
    reasons: {},
  },
  {
    path: '/v1/prices',
    file: 'Prices.d.ts',
    type: 'PriceCreateParams',
    reasons: {
      'currency_options.custom_unit_amount.enabled': NOT_USED,
      'custom_unit_amount.enabled': NOT_USED,
      transfer_lookup_key: NOT_USED,
    },
  },
] as const;

test.each(requests)('a request to $path leaves nothing to the account without a reason', (request) => {
  const found = accountDefaults(request.file, request.type);
  const form = sent.get(request.path);
  expect(found).not.toEqual([]);
  expect(found.filter((parameter) => !has(form, parameter)).toSorted()).toEqual(
    Object.keys(request.reasons).toSorted(),
  );
});

// Checkout has no parameter for the last one: it creates the subscription without payment settings.
test('a subscription that Checkout creates can only take over how its open invoices are paid', () => {
  expect(accountDefaults('Subscriptions.d.ts', 'SubscriptionCreateParams').toSorted()).toEqual([
    'automatic_tax.enabled', // as in the session
    'billing_thresholds.reset_billing_cycle_anchor', // without thresholds
    'payment_settings.payment_method_types', // the page of an open invoice may offer more than cards
  ]);
});

test('a session has none of the features that its account turns on', () => {
  expect(session).toMatchObject({
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: false,
    automatic_tax: { enabled: false },
    billing_address_collection: 'auto',
    managed_payments: { enabled: false },
    payment_method_types: ['card', 'link'],
    phone_number_collection: { enabled: false },
  });
});

function has(form: Form | undefined, parameter: string): boolean {
  const [first = '', ...rest] = parameter.split('.');
  const value = form?.[first];
  return rest.length === 0 || typeof value !== 'object' ? value !== undefined : has(value, rest.join('.'));
}
