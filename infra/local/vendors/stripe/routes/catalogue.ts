import type Stripe from 'stripe';
import { claimLookupKey, createPrice, currency, priceFields } from '../catalogue.ts';
import { missing } from '../errors.ts';
import { updatedMetadata, flag, list, metadata, oneOf, text } from '../fields.ts';
import type { Ledger } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { route, type Route } from '../route.ts';

export const catalogueRoutes: Route[] = [
  route('POST', '/v1/prices', priceFields, ({ ledger, input }) => createPrice(ledger, input)),

  route(
    'GET',
    '/v1/prices',
    {
      ...pagination,
      active: flag,
      currency,
      lookup_keys: list(text),
      product: text,
      type: oneOf('one_time', 'recurring'),
    },
    ({ ledger, input }) =>
      page(
        ledger.prices
          .list()
          .filter((price) => input.active === undefined || price.active === input.active)
          .filter((price) => input.currency === undefined || price.currency === input.currency)
          .filter((price) => input.lookup_keys?.includes(price.lookup_key ?? '') ?? true)
          .filter((price) => input.product === undefined || price.product === input.product)
          .filter((price) => input.type === undefined || price.type === input.type),
        input,
        '/v1/prices',
      ),
  ),

  route(
    'POST',
    '/v1/prices/:id',
    { active: flag, lookup_key: text, metadata, nickname: text, transfer_lookup_key: flag },
    ({ ledger, id, input }) => {
      const before = priceInPath(ledger, id);
      claimLookupKey(ledger, input, id);
      const { transfer_lookup_key: _transfer, ...change } = input;
      const price = {
        ...before,
        ...change,
        metadata: updatedMetadata(before.metadata, input.metadata),
      } satisfies Stripe.Price;
      ledger.prices.put(id, price);
      ledger.emit('price.updated', price, before);
      return price;
    },
  ),
];

function priceInPath(ledger: Ledger, id: string): Stripe.Price {
  const price = ledger.prices.get(id);
  if (!price) throw missing('price', id, 'price');
  return price;
}
