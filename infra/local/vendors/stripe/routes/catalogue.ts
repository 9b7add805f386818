import type Stripe from 'stripe';
import {
  claimLookupKey,
  createPrice,
  createProduct,
  priceFields,
  productFields,
  taxBehavior,
} from '../catalogue.ts';
import { invalid } from '../errors.ts';
import { updatedMetadata, flag, list, metadata, text } from '../fields.ts';
import { matching, page, pagination } from '../list.ts';
import { inPath, route, type Route } from '../route.ts';

export const catalogueRoutes: Route[] = [
  route('POST', '/v1/prices', priceFields, ({ ledger, input }) => createPrice(ledger, input)),

  route(
    'GET',
    '/v1/prices',
    {
      ...pagination,
      active: flag,
      lookup_keys: list(text),
      product: text,
    },
    ({ ledger, input }) =>
      page(
        matching(ledger.prices.list(), input, 'active', 'product').filter(
          (price) => input.lookup_keys?.includes(price.lookup_key ?? '') ?? true,
        ),
        input,
        '/v1/prices',
      ),
  ),

  route(
    'POST',
    '/v1/prices/:id',
    {
      active: flag,
      lookup_key: text,
      metadata,
      tax_behavior: taxBehavior,
      transfer_lookup_key: flag,
    },
    ({ ledger, id, input }) => {
      const before = inPath(ledger.prices, id, 'price', 'price');
      // "Once specified as either inclusive or exclusive, it cannot be changed": Stripe's reference.
      const { tax_behavior: behavior = before.tax_behavior } = input;
      if (before.tax_behavior !== 'unspecified' && behavior !== before.tax_behavior) {
        throw invalid('You cannot change `tax_behavior` once it is set.', 'tax_behavior');
      }
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

  route('POST', '/v1/products', productFields, ({ ledger, input }) => createProduct(ledger, input)),

  route(
    'POST',
    '/v1/products/:id',
    { active: flag, metadata, name: text, tax_code: text },
    ({ ledger, id, input }) => {
      const before = inPath(ledger.products, id, 'product');
      const product = {
        ...before,
        ...input,
        metadata: updatedMetadata(before.metadata, input.metadata),
        updated: ledger.now(),
      } satisfies Stripe.Product;
      ledger.products.put(id, product);
      ledger.emit('product.updated', product, before);
      return product;
    },
  ),
];
