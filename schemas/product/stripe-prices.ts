import { type Offer, offersOf, paidPlans, plans } from './offers.ts';
import { product } from './product.ts';

/** Software for private use; txcd_10103001 is for businesses (https://docs.stripe.com/tax/tax-codes). */
const TAX_CODE = 'txcd_10103000';

/**
 * The lookup key of an offer's price, unique in Stripe's account, which may have other stages and products.
 * With the amount in it, a price stays for as long as a deployed version sells it.
 */
export const lookupKeyOf = (
  stage: string,
  { key, priceInCents, currency }: Pick<Offer, 'key' | 'priceInCents' | 'currency'>,
): string => `${product.slug}_${stage}_${key}_${priceInCents}${currency}`;

/**
 * The parameters of Stripe's calls for a stage's products and prices, taxes included. A deployment creates
 * what is missing, and so does the local world: the template's metadata has them for the stage `${Stage}`.
 */
export const stripePricesOf = (stage: string) =>
  paidPlans.map((plan) => {
    const mark = { [product.slug]: stage };
    const id = `${product.slug}_${stage}_${plan}`;
    return {
      product: { id, name: plans[plan].name, tax_code: TAX_CODE, metadata: mark },
      prices: offersOf(plan).map((offer) => ({
        product: id,
        lookup_key: lookupKeyOf(stage, offer),
        currency: offer.currency,
        unit_amount: offer.priceInCents,
        recurring: { interval: offer.interval },
        tax_behavior: 'inclusive' as const,
        metadata: { ...mark, plan },
      })),
    };
  });
