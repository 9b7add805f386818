import { Stripe } from 'stripe';
import * as z from 'zod/mini';
import type { ConnectedStripe } from './connect-stripe.ts';
import type { Stack } from '../stack/template.ts';

/** Parameters of Stripe's calls, which Stripe checks. */
const Products = z.array(
  z.object({
    product: z.custom<Stripe.ProductCreateParams>(),
    prices: z.array(z.custom<Stripe.PriceCreateParams & { lookup_key: string }>()),
  }),
);

/** Creates the template's missing prices at Stripe or its stand-in. `${Stage}` is this world's stage. */
export async function createPrices(
  { metadata }: Pick<Stack, 'metadata'>,
  { stage, api: { secretKey, origin } }: Pick<ConnectedStripe, 'stage' | 'api'>,
): Promise<void> {
  const text = JSON.stringify(metadata['StripePrices'] ?? []).replaceAll('${Stage}', stage);
  const { hostname, port, protocol } = new URL(origin);
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port || 443,
    protocol: protocol === 'http:' ? 'http' : 'https',
    telemetry: false,
  });
  for (const { product, prices } of Products.parse(JSON.parse(text))) {
    for (const price of prices) {
      const { data } = await stripe.prices.list({ lookup_keys: [price.lookup_key], active: true, limit: 1 });
      if (data.length > 0) continue;
      await stripe.products.create(product).catch(unlessExists);
      await stripe.prices.create(price);
    }
  }
}

function unlessExists(error: unknown): void {
  const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists';
  if (!exists) throw error;
}
