import type Stripe from 'stripe';
import { agreementMetadata, agreementToday } from '../../domain/agreement.ts';
import { markOf } from '../../domain/mark.ts';
import { type Offer, type OfferKey, offers } from '../../../schemas/product/offers.ts';
import { intervalWords } from '../../../schemas/product/price.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';
import { cachedId } from './cached-id.ts';
import { refusalIn, unlessCustomerGone } from './refusals.ts';

/** Named here, so that no switch in Stripe's dashboard adds a method that settles days later. */
const PAYMENT_METHODS = ['card', 'link'] as const;

/**
 * The look of Stripe's form, instead of the dashboard's: ink on the white sheet of checkout.module.css in
 * both color schemes. An open session is reused on every device, so it can't follow a device's color scheme.
 */
const BRANDING = {
  background_color: '#ffffff',
  button_color: '#14202f',
  border_style: 'rectangular',
} as const;

/**
 * Parameters whose absence leaves the price, or the form, to a switch in Stripe's dashboard: another amount
 * in buyers' own currency, or Stripe as the seller, with its own tax and fee.
 */
const WITHOUT_ACCOUNT_DEFAULTS = {
  adaptive_pricing: { enabled: false },
  allow_promotion_codes: false,
  billing_address_collection: 'auto',
  managed_payments: { enabled: false },
  phone_number_collection: { enabled: false },
} as const;

/** The words above the button that pays, in Markdown. Stripe keeps them and the terms' version. */
const wordsAtButton = ({ price, interval }: Offer, returnUrl: string): string =>
  `**${price} today, and ${price} on this day of ${intervalWords[interval].every}, until you cancel.** ` +
  `You can cancel at any time. By paying, you accept the [terms](${new URL('/terms', returnUrl).href}).`;

/** The parameters of an embedded checkout of a paid plan. */
export interface Order {
  offer: Offer;
  customerId: string;
  userId: string;
  /** With the placeholder `{CHECKOUT_SESSION_ID}`. */
  returnUrl: string;
  /** Whether Stripe computes the taxes that the price includes. */
  automaticTax: boolean;
}

/** Opens sessions in Stripe, as `createSession` does. */
export function sessionOpener(
  stage: string,
): (stripe: Stripe, order: Order) => Promise<Stripe.Checkout.Session | 'other-currency' | undefined> {
  const priceFinders = Object.fromEntries(
    offers.map((offer) => [offer.key, cachedId((stripe) => offerPrice(stripe, stage, offer))]),
  ) as Record<OfferKey, ReturnType<typeof cachedId>>;
  return async (stripe, { offer, customerId, userId, returnUrl, automaticTax }) => {
    const withPrice = priceFinders[offer.key];
    const metadata = { ...markOf(stage, userId), ...agreementMetadata(agreementToday(offer)) };
    const create = () =>
      withPrice(stripe, (price) =>
        stripe.checkout.sessions.create({
          ...WITHOUT_ACCOUNT_DEFAULTS,
          mode: 'subscription',
          automatic_tax: { enabled: automaticTax },
          allowed_payment_method_types: [...PAYMENT_METHODS],
          ui_mode: 'embedded_page',
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price, quantity: 1 }],
          return_url: returnUrl,
          branding_settings: BRANDING,
          custom_text: { submit: { message: wordsAtButton(offer, returnUrl) } },
          // A buyer who ticks that a business buys has its name, address and tax id on every invoice.
          tax_id_collection: { enabled: true },
          customer_update: { name: 'auto', address: 'auto' },
          metadata,
          subscription_data: { metadata },
        }),
      );
    try {
      return await unlessCustomerGone(stripe, customerId, create);
    } catch (error) {
      // Stripe says only in its sentence that support has charged the customer in another currency: "You
      // cannot combine currencies on a single customer", and others that name the currency.
      const refusal = await refusalIn(error);
      if (refusal && /\bcurrenc(y|ies)\b/i.test(refusal.message)) return 'other-currency';
      throw error;
    }
  };
}

/** The id of the offer's price. Throws if Stripe has none: only a deployment creates prices. */
async function offerPrice(stripe: Stripe, stage: string, offer: Offer): Promise<string> {
  const lookupKey = lookupKeyOf(stage, offer);
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = data;
  if (!price)
    throw new Error(`Stripe has no active price ${lookupKey}. A deployment of this version creates it.`);
  return price.id;
}
