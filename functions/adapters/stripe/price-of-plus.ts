import type Stripe from 'stripe';
import { plans, product } from '../../../schemas/product/product.ts';
import { markOf } from '../../domain/mark.ts';
import { idOf } from './id-of.ts';

/**
 * The lookup key of a stage's price in Stripe. Lookup keys are unique in an account, and other products and
 * stages have prices there too.
 */
export const priceLookupKey = (stage: string): string =>
  `${product.slug}_${stage}_plus_${plans.plus.interval}ly`;

/**
 * Stripe's code for software as a service that people use in private; txcd_10103001 is the code for
 * businesses (https://docs.stripe.com/tax/tax-codes). A deployment sets it on an existing product.
 */
export const TAX_CODE = 'txcd_10103000';

/**
 * The id of the price that the site shows, which includes taxes. Creates the price if Stripe has none, or has
 * another amount.
 */
export async function priceOfPlus(stripe: Stripe, stage: string): Promise<string> {
  const { priceInCents, currency, interval, name } = plans.plus;
  const { data } = await stripe.prices.list({
    lookup_keys: [priceLookupKey(stage)],
    active: true,
    limit: 1,
  });
  const [existing] = data;
  if (
    existing?.unit_amount === priceInCents &&
    existing.currency === currency &&
    existing.tax_behavior === 'inclusive'
  ) {
    return existing.id;
  }
  const metadata = markOf(stage);
  const price = await stripe.prices.create({
    lookup_key: priceLookupKey(stage),
    transfer_lookup_key: true,
    currency,
    unit_amount: priceInCents,
    recurring: { interval },
    tax_behavior: 'inclusive',
    metadata,
    ...(existing
      ? { product: idOf(existing.product) }
      : { product_data: { name, metadata, tax_code: TAX_CODE } }),
  });
  return price.id;
}
