import type Stripe from 'stripe';
import { plans, product } from '../../../schemas/product.ts';
import { markOf, ownerIn } from '../../domain/mark.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { Billing, Checkout } from './billing.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { cachedId } from './cached-id.ts';
import { stripeErrors, unlessCustomerGone, unlessMissing } from './refusals.ts';
import { SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';

/**
 * The lookup key of a stage's price in Stripe. The amount is in schemas/product.ts. Lookup keys are unique in
 * an account, and other products and stages have prices there too.
 */
export const priceLookupKey = (stage: string): string =>
  `${product.slug}_${stage}_plus_${plans.plus.interval}ly`;

/**
 * Only methods that settle at once: cards with their wallets, and Link. Named here, so that no switch in
 * Stripe's dashboard can add a method that pays days later.
 */
const PAYMENT_METHODS = ['card', 'link'] as const;

/**
 * The look of Stripe's form: ink on the white sheet that frames the form on the checkout page in both color
 * schemes (web/src/components/checkout/checkout.module.css). Without it the form has the colors of Stripe's
 * dashboard. An open session is reused on every device, so it can't follow a device's color scheme.
 */
const BRANDING = {
  background_color: '#ffffff',
  button_color: '#14202f',
  border_style: 'rectangular',
} as const;

/**
 * Parameters whose absence leaves the price, or the form, to a switch in Stripe's dashboard. Adaptive Pricing
 * charges buyers abroad another amount in their own currency. Managed Payments makes Stripe the seller, with
 * its own tax and fee.
 */
const WITHOUT_ACCOUNT_DEFAULTS = {
  adaptive_pricing: { enabled: false },
  allow_promotion_codes: false,
  automatic_tax: { enabled: false },
  billing_address_collection: 'auto',
  managed_payments: { enabled: false },
  phone_number_collection: { enabled: false },
} as const;

type CheckoutSessions = Pick<Billing, 'openCheckout' | 'checkout' | 'expireCheckout' | 'expireCheckoutsOf'>;

export const checkoutSessions = (connection: () => Promise<Connection>, stage: string): CheckoutSessions => {
  const withPrice = cachedId((stripe) => priceOfPlus(stripe, stage));
  return {
    async openCheckout({ customerId, userId, returnUrl }) {
      const { stripe } = await connection();
      const metadata = markOf(stage, userId);
      const create = () =>
        withPrice(stripe, (price) =>
          stripe.checkout.sessions.create({
            ...WITHOUT_ACCOUNT_DEFAULTS,
            mode: 'subscription',
            allowed_payment_method_types: [...PAYMENT_METHODS],
            ui_mode: 'embedded_page',
            customer: customerId,
            client_reference_id: userId,
            line_items: [{ price, quantity: 1 }],
            return_url: returnUrl,
            branding_settings: BRANDING,
            // A buyer who ticks that a business buys has its name, address and tax id on every invoice.
            tax_id_collection: { enabled: true },
            customer_update: { name: 'auto', address: 'auto' },
            metadata,
            subscription_data: { metadata },
          }),
        );
      try {
        const session = await unlessCustomerGone(stripe, customerId, create);
        return session && toCheckout(session, undefined);
      } catch (error) {
        if (await isOfOtherCurrency(error)) return 'other-currency';
        throw error;
      }
    },

    async checkout(id, userId) {
      const { stripe } = await connection();
      const session = await unlessMissing(() =>
        stripe.checkout.sessions.retrieve(id, { expand: [`subscription.${SUBSCRIPTION_EXPANSION}`] }),
      );
      if (!session || !isOwnSession(session, stage, userId)) return undefined;
      // A subscription made by a session of ours is ours.
      const { subscription } = session;
      const isExpanded = subscription !== null && typeof subscription !== 'string';
      return toCheckout(session, isExpanded ? toSubscription(subscription, stage) : undefined);
    },

    async expireCheckout(id) {
      await expireUnlessClosed((await connection()).stripe, id);
    },

    async expireCheckoutsOf(customerId, userId) {
      const { stripe } = await connection();
      const open = await unlessCustomerGone(stripe, customerId, () =>
        stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
      );
      for (const session of open?.data ?? []) {
        if (isOwnSession(session, stage, userId)) await expireUnlessClosed(stripe, session.id);
      }
    },
  };
};

/**
 * Whether Stripe refuses because the customer has something in another currency, such as a subscription that
 * support made. Only the refusal's sentence says so: "You cannot combine currencies on a single customer",
 * and others that name the currency.
 */
async function isOfOtherCurrency(error: unknown): Promise<boolean> {
  const errors = await stripeErrors();
  return error instanceof errors.StripeInvalidRequestError && /\bcurrenc(y|ies)\b/i.test(error.message);
}

async function expireUnlessClosed(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    // Stripe refuses if the session was paid or has expired meanwhile. The caller reads which.
    const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(id));
    if (session?.status === 'open') throw error;
  }
}

/** The id of the price that the site shows. Creates the price if Stripe has none, or has another amount. */
export async function priceOfPlus(stripe: Stripe, stage: string): Promise<string> {
  const { priceInCents, currency, interval, name } = plans.plus;
  const { data } = await stripe.prices.list({
    lookup_keys: [priceLookupKey(stage)],
    active: true,
    limit: 1,
  });
  const [existing] = data;
  if (existing?.unit_amount === priceInCents && existing.currency === currency) return existing.id;
  const metadata = markOf(stage);
  const price = await stripe.prices.create({
    lookup_key: priceLookupKey(stage),
    transfer_lookup_key: true,
    currency,
    unit_amount: priceInCents,
    recurring: { interval },
    metadata,
    ...(existing ? { product: idOf(existing.product) } : { product_data: { name, metadata } }),
  });
  return price.id;
}

function isOwnSession({ metadata }: Stripe.Checkout.Session, stage: string, userId: string): boolean {
  const owner = ownerIn(metadata, stage);
  return owner.kind === 'ours' || (owner.kind === 'unmarked' && owner.userId === userId);
}

function toCheckout(session: Stripe.Checkout.Session, subscription: Subscription | undefined): Checkout {
  return {
    id: session.id,
    status: session.status,
    customerId: session.customer ? idOf(session.customer) : undefined,
    clientSecret: session.client_secret ?? undefined,
    amount: session.amount_total ?? undefined,
    email: session.customer_details?.email ?? session.customer_email ?? undefined,
    subscription,
  };
}
