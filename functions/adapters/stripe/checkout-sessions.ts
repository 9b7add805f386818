import type Stripe from 'stripe';
import { plans } from '../../../schemas/product.ts';
import type { Billing, Checkout } from './billing.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { keptId } from './kept-id.ts';
import { unlessCustomerGone, unlessMissing } from './refusals.ts';
import { SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';

// The name of our price in Stripe. The amount is in schemas/product.ts.
const PRICE_LOOKUP_KEY = `plus_${plans.plus.interval}ly`;

/**
 * Only methods that settle at once: cards with their wallets, and Link. Named here, so that no switch in
 * Stripe's dashboard can add a method that pays days later.
 */
const PAYMENT_METHODS = ['card', 'link'] as const;

/**
 * The look of Stripe's form: ink on the white sheet that frames it on the checkout page in both colour
 * schemes (web/src/components/checkout/checkout.module.css). Without it the form has the colours of Stripe's
 * dashboard. An open session is used again on every device, so it can't follow a device's colour scheme.
 */
const BRANDING = {
  background_color: '#ffffff',
  button_color: '#14202f',
  border_style: 'rectangular',
} as const;

type CheckoutSessions = Pick<Billing, 'openCheckout' | 'checkout' | 'expireCheckout'>;

export const checkoutSessions = (connection: () => Promise<Connection>): CheckoutSessions => {
  const withPrice = keptId(priceOfPlus);
  return {
    async openCheckout({ customerId, userId, returnUrl }) {
      const { stripe } = await connection();
      const metadata = { user_id: userId };
      const session = await unlessCustomerGone(stripe, customerId, () =>
        withPrice(stripe, (price) =>
          stripe.checkout.sessions.create({
            mode: 'subscription',
            allowed_payment_method_types: [...PAYMENT_METHODS],
            ui_mode: 'embedded_page',
            customer: customerId,
            client_reference_id: userId,
            line_items: [{ price, quantity: 1 }],
            return_url: returnUrl,
            branding_settings: BRANDING,
            metadata,
            subscription_data: { metadata },
          }),
        ),
      );
      return session && toCheckout(session);
    },

    async checkout(id) {
      const { stripe } = await connection();
      const session = await unlessMissing(() =>
        stripe.checkout.sessions.retrieve(id, { expand: [`subscription.${SUBSCRIPTION_EXPANSION}`] }),
      );
      return session && toCheckout(session);
    },

    async expireCheckout(id) {
      const { stripe } = await connection();
      try {
        await stripe.checkout.sessions.expire(id);
      } catch (error) {
        // Refused if it was paid or has expired meanwhile. The caller reads which.
        const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(id));
        if (session?.status === 'open') throw error;
      }
    },
  };
};

/** The id of the price that the site shows. Creates it if Stripe has none, or one with another amount. */
export async function priceOfPlus(stripe: Stripe): Promise<string> {
  const { priceInCents, currency, interval, name } = plans.plus;
  const { data } = await stripe.prices.list({
    lookup_keys: [PRICE_LOOKUP_KEY],
    active: true,
    limit: 1,
  });
  const [existing] = data;
  if (existing?.unit_amount === priceInCents && existing.currency === currency) return existing.id;
  const price = await stripe.prices.create({
    lookup_key: PRICE_LOOKUP_KEY,
    transfer_lookup_key: true,
    currency,
    unit_amount: priceInCents,
    recurring: { interval },
    ...(existing ? { product: idOf(existing.product) } : { product_data: { name } }),
  });
  return price.id;
}

function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const { subscription } = session;
  return {
    id: session.id,
    status: session.status,
    customerId: session.customer ? idOf(session.customer) : undefined,
    clientSecret: session.client_secret ?? undefined,
    amount: session.amount_total ?? undefined,
    email: session.customer_details?.email ?? session.customer_email ?? undefined,
    subscription: subscription && typeof subscription !== 'string' ? toSubscription(subscription) : undefined,
  };
}
