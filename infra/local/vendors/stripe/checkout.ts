import type Stripe from 'stripe';
import type { ReadCard } from './cards.ts';
import { updateCustomer } from './customers.ts';
import { createCharge } from './charges.ts';
import { StripeRefusal, type ErrorBody } from './errors.ts';
import { type Input, updatedMetadata } from './fields.ts';
import { idOf, newId, randomLetters } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { createIntent, failIntent } from './payment-intents.ts';
import { addCard, createCard } from './payment-methods.ts';
import type { sessionFields } from './session-fields.ts';
import { startSubscription } from './subscriptions.ts';
import { locationOf, noTax, saveLocation, taxesOf, taxState, taxWithin } from './tax.ts';

// Seconds. Stripe's default: "by default, this value is 24 hours from creation" (reference of `expires_at`).
const LIFETIME = 24 * 3600;

/** The settings of this account that a session takes over unless it says otherwise. */
const ACCOUNT_SWITCHES = { adaptive_pricing: true, managed_payments: true } as const;

// The branding of an account that never chose any.
const defaultBranding = {
  background_color: '#ffffff',
  border_style: 'rounded',
  button_color: '#1f5bd8',
  display_name: 'Local stand-in',
  font_family: 'default',
  icon: null,
  logo: null,
} satisfies Stripe.Checkout.Session.BrandingSettings;

// Fields of features that the stand-in doesn't have: discounts, shipping, hosted pages and others.
const unusedFields = {
  after_expiration: null,
  cancel_url: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer_account: null,
  customer_creation: null,
  customer_email: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  success_url: null,
  url: null,
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

/** `prices` are those of the line items. `offered` are the payment methods of the page. */
export function openSession(
  ledger: Ledger,
  input: Input<typeof sessionFields>,
  {
    customer,
    prices,
    offered,
    returnUrl,
  }: {
    customer: Stripe.Customer;
    prices: { price: Stripe.Price; quantity: number }[];
    offered: string[];
    returnUrl: string;
  },
): Stripe.Checkout.Session {
  const id = newId('cs_test', 58);
  const total = prices.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);
  const location = locationOf(ledger, customer);
  const automaticTax = input.automatic_tax?.enabled ?? false;
  const session = {
    ...unusedFields,
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: input.adaptive_pricing?.enabled ?? ACCOUNT_SWITCHES.adaptive_pricing },
    allow_promotion_codes: input.allow_promotion_codes ?? null,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: automaticTax ? taxState(location) : noTax,
    billing_address_collection: input.billing_address_collection ?? null,
    branding_settings: { ...defaultBranding, ...input.branding_settings },
    client_reference_id: input.client_reference_id ?? null,
    client_secret: `${id}_secret_${randomLetters(32)}`,
    created: ledger.now(),
    currency: prices[0]?.price.currency ?? null,
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: input.custom_text?.submit ?? null,
      terms_of_service_acceptance: null,
    },
    customer: customer.id,
    customer_details: detailsOf(customer.email, customer.name ?? null),
    expires_at: ledger.now() + LIFETIME,
    invoice: null,
    locale: null,
    managed_payments: { enabled: input.managed_payments?.enabled ?? ACCOUNT_SWITCHES.managed_payments },
    metadata: updatedMetadata({}, input.metadata),
    mode: 'subscription',
    payment_intent: null,
    payment_method_collection: 'always',
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: offered,
    payment_status: 'unpaid',
    redirect_on_completion: 'always',
    return_url: returnUrl,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    status: 'open',
    subscription: null,
    ...(input.tax_id_collection?.enabled && { tax_id_collection: { enabled: true, required: 'never' } }),
    total_details: {
      amount_discount: 0,
      amount_shipping: 0,
      amount_tax: automaticTax ? taxWithin(total, location).amount : 0,
    },
    ui_mode: 'embedded_page',
  } satisfies Stripe.Checkout.Session;
  ledger.sessions.put(id, session);
  ledger.orders.put(id, {
    subscriptionMetadata: updatedMetadata({}, input.subscription_data?.metadata),
    items: prices.map(({ price, quantity }) => ({ id: newId('li'), price: price.id, quantity })),
  });
  ledger.schedule('session', id, session.expires_at);
  return session;
}

const detailsOf = (email: string | null, name: string | null): Stripe.Checkout.Session.CustomerDetails => ({
  address: null,
  business_name: null,
  email,
  individual_name: null,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: null,
});

export function expireSession(ledger: Ledger, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  const expired: Stripe.Checkout.Session = { ...session, client_secret: null, status: 'expired' };
  ledger.sessions.put(session.id, expired);
  ledger.schedule('session', session.id, undefined);
  ledger.emit('checkout.session.expired', expired);
  return expired;
}

/** The session with a client secret, whatever its status. */
export function sessionOfSecret(ledger: Ledger, secret: string): Stripe.Checkout.Session | undefined {
  const end = secret.indexOf('_secret_');
  const session = ledger.sessions.get(end === -1 ? '' : secret.slice(0, end));
  // A session that is not open has no secret any more. Its id alone reveals only the status.
  return session && (session.status !== 'open' || session.client_secret === secret) ? session : undefined;
}

/** The address after completion. */
export const returnAddress = (session: Stripe.Checkout.Session): string | undefined =>
  session.return_url?.replaceAll('{CHECKOUT_SESSION_ID}', session.id);

interface SessionEntry {
  card: ReadCard;
  businessName: string | null;
  /** Two letters. The form asks for it only if taxes are computed. */
  country: string;
  taxId: string | null;
}

/**
 * Pays an open session: creates the payment method, the subscription and its first invoice. A payment that
 * settles later also completes it. Throws if the card refuses; the transaction then undoes everything.
 */
export function completeSession(
  ledger: Ledger,
  session: Stripe.Checkout.Session,
  entry: SessionEntry,
): Stripe.Checkout.Session {
  const order = ledger.orders.get(session.id);
  if (!order) throw new Error(`The session ${session.id} has nothing to sell.`);
  const customer = ledger.customers.get(idOf(session.customer));
  if (!customer || customer.deleted) {
    throw new StripeRefusal(400, {
      type: 'invalid_request_error',
      message: 'The customer of this checkout does not exist any more.',
    });
  }
  const { email } = customer;
  const businessName = session.tax_id_collection?.enabled ? entry.businessName : null;
  if (businessName !== null) updateCustomer(ledger, customer.id, { name: businessName });
  const { address, taxId } = saveLocation(ledger, session, customer.id, entry);
  const method = addCard(ledger, entry.card, { id: customer.id, email });
  const { subscription, outcome } = startSubscription(
    ledger,
    {
      customer: customer.id,
      prices: order.items.map(({ price: id, quantity }) => {
        const price = ledger.prices.get(id);
        if (!price) throw new Error(`The price ${id} does not exist.`);
        return { price, quantity };
      }),
      defaultMethod: method.id,
      metadata: order.subscriptionMetadata,
      automaticTax: session.automatic_tax.enabled,
    },
    'on-session',
  );
  if ('error' in outcome) throw new StripeRefusal(402, outcome.error);

  const complete: Stripe.Checkout.Session = {
    ...session,
    ...(address && taxesOf(session.amount_total, { country: address.country, taxId })),
    client_secret: null,
    customer: customer.id,
    customer_details: {
      ...detailsOf(email, businessName ?? entry.card.name),
      address: address ?? method.billing_details.address,
      business_name: businessName,
      tax_ids: taxId ? [taxId] : [],
    },
    collected_information: { business_name: businessName, individual_name: null, shipping_details: null },
    invoice: subscription.latest_invoice,
    payment_status: outcome.kind === 'paid' ? 'paid' : 'unpaid',
    status: 'complete',
    subscription: subscription.id,
  };
  ledger.sessions.put(session.id, complete);
  ledger.schedule('session', session.id, undefined);
  ledger.emit('checkout.session.completed', complete);
  return complete;
}

/** Records the charge that a card has refused. The session stays open. */
export function recordDecline(
  ledger: Ledger,
  session: Stripe.Checkout.Session,
  { card, error }: { card: ReadCard; error: ErrorBody },
): void {
  const customer = idOf(session.customer);
  const email = session.customer_details?.email ?? null;
  const method = createCard(ledger, card, { customer: null, email });
  const intent = createIntent(ledger, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    customer,
    description: 'Subscription creation',
  });
  const result = { status: 'failed', failure: error } as const;
  const charge = createCharge(ledger, intent, method, { result, receiptUrl: null });
  failIntent(ledger, intent, { charge, error, method });
}
