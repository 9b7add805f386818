import type Stripe from 'stripe';
import {
  claimLookupKey,
  createPrice,
  createProduct,
  currency,
  priceFields,
  productDetails,
} from '../catalogue.ts';
import { invalid, missing } from '../errors.ts';
import { updatedMetadata, flag, list, metadata, oneOf, required, text } from '../fields.ts';
import type { Ledger } from '../ledger.ts';
import { page, paginationByTime } from '../list.ts';
import { route, type Route } from '../route.ts';

export const catalogueRoutes: Route[] = [
  route(
    'POST',
    '/v1/products',
    { ...productDetails, id: text, name: required(text) },
    ({ ledger, input }) => {
      if (input.id !== undefined && ledger.products.get(input.id)) {
        throw invalid('Product already exists.', 'id', 'resource_already_exists');
      }
      return createProduct(ledger, input);
    },
  ),

  route('GET', '/v1/products', { ...paginationByTime, active: flag, ids: list(text) }, ({ ledger, input }) =>
    page(
      ledger.products
        .list()
        .filter((product) => input.active === undefined || product.active === input.active)
        .filter((product) => input.ids === undefined || input.ids.includes(product.id)),
      input,
      '/v1/products',
    ),
  ),

  route('GET', '/v1/products/:id', {}, ({ ledger, id }) => productInPath(ledger, id)),

  route('POST', '/v1/products/:id', { ...productDetails, name: text }, ({ ledger, id, input }) => {
    const before = productInPath(ledger, id);
    const product = {
      ...before,
      ...input,
      metadata: updatedMetadata(before.metadata, input.metadata),
      updated: ledger.now(),
    } satisfies Stripe.Product;
    ledger.products.put(id, product);
    ledger.emit('product.updated', product, before);
    return product;
  }),

  route('POST', '/v1/prices', priceFields, ({ ledger, input }) => createPrice(ledger, input)),

  route(
    'GET',
    '/v1/prices',
    {
      ...paginationByTime,
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

  route('GET', '/v1/prices/:id', {}, ({ ledger, id }) => priceInPath(ledger, id)),

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

function productInPath(ledger: Ledger, id: string): Stripe.Product {
  const product = ledger.products.get(id);
  if (!product) throw missing('product', id);
  return product;
}

function priceInPath(ledger: Ledger, id: string): Stripe.Price {
  const price = ledger.prices.get(id);
  if (!price) throw missing('price', id, 'price');
  return price;
}
