import { type Offer, offersOf, paidPlans, plans } from './offers.ts';
import { product } from './product.ts';

/**
 * Stripe's code for software as a service that people use in private; txcd_10103001 is the code for
 * businesses (https://docs.stripe.com/tax/tax-codes).
 */
const TAX_CODE = 'txcd_10103000';

/**
 * The lookup key of an offer's price at Stripe. Lookup keys are unique in an account, and other products and
 * stages have prices there too. With the amount in the key, a price stays for as long as a deployed version
 * sells it.
 */
export const lookupKeyOf = (
  stage: string,
  { key, priceInCents, currency }: Pick<Offer, 'key' | 'priceInCents' | 'currency'>,
): string => `${product.slug}_${stage}_${key}_${priceInCents}${currency}`;

/**
 * The parameters of Stripe's calls for all that a stage sells: a product for each plan, a price for each
 * offer. Prices include taxes. A deployment creates what is missing, and so does the local world: the
 * template's metadata holds the parameters of the stage `${Stage}`.
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
