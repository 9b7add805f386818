import { Stripe } from 'stripe';
import { stripePricesOf } from '../../../schemas/product/stripe-prices.ts';
import { storedStripe } from './stripe-client.ts';
import type { Target } from './target.ts';

/** Creates the stage's prices that Stripe lacks, and their products. Safe to repeat. */
export async function createPrices(
  target: Pick<Target, 'secrets' | 'stageName'>,
  say: (line: string) => void,
): Promise<void> {
  const { stripe } = await storedStripe(target);
  await createMissingPrices(stripe, target.stageName, say);
}

/** The same, with a client. */
export async function createMissingPrices(
  stripe: Stripe,
  stage: string,
  say: (line: string) => void = () => {},
): Promise<void> {
  for (const { product, prices } of stripePricesOf(stage)) {
    for (const price of prices) {
      const { lookup_key: key } = price;
      const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
      if (data.length > 0) continue;
      await stripe.products.create(product).catch(unlessExists);
      const { id } = await stripe.prices.create(price);
      say(`Stripe: created the price ${id} with the lookup key ${key}`);
    }
  }
}

function unlessExists(error: unknown): void {
  const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists';
  if (!exists) throw error;
}
