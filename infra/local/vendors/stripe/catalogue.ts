import type Stripe from 'stripe';
import { invalid, missingReference, parameterMissing, parametersExclusive } from './errors.ts';
import {
  between,
  updatedMetadata,
  flag,
  list,
  metadata,
  object,
  oneOf,
  required,
  text,
  type Field,
  type Input,
} from './fields.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';

const currency: Field<string> = (value, name) => {
  const code = text(value, name).toLowerCase();
  if (!/^[a-z]{3}$/.test(code)) throw invalid(`Invalid currency: ${code}.`, name);
  return code;
};

const recurring = object({
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: between(1, 365),
});

const cents = between(0, 99_999_999);

export const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');

const productData = { active: flag, name: required(text), metadata, tax_code: text } as const;
export const productFields = { id: text, ...productData } as const;

export const priceFields = {
  active: flag,
  currency: required(currency),
  lookup_key: text,
  metadata,
  product: text,
  product_data: object(productData),
  recurring,
  tax_behavior: taxBehavior,
  transfer_lookup_key: flag,
  unit_amount: cents,
} as const;

/** Creates a product. The caller may choose its id. */
export function createProduct(ledger: Ledger, input: Input<typeof productFields>): Stripe.Product {
  if (input.id !== undefined && ledger.products.get(input.id)) {
    throw invalid(`Product already exists: ${input.id}.`, 'id', 'resource_already_exists');
  }
  const now = ledger.now();
  const product = {
    id: input.id ?? newId('prod', 14),
    object: 'product',
    active: input.active ?? true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: updatedMetadata({}, input.metadata),
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: input.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  } satisfies Stripe.Product;
  ledger.products.put(product.id, product);
  ledger.emit('product.created', product);
  return product;
}

/** Creates a price, and its product if the request describes one. */
export function createPrice(ledger: Ledger, input: Input<typeof priceFields>): Stripe.Price {
  if (input.product !== undefined && input.product_data) {
    throw parametersExclusive('product', 'product_data');
  }
  if (input.unit_amount === undefined) throw parameterMissing('unit_amount');
  if (input.product === undefined && !input.product_data) throw parameterMissing('product');
  if (input.product !== undefined && !ledger.products.get(input.product)) {
    throw missingReference('product', input.product, 'product');
  }
  claimLookupKey(ledger, input);
  const product = input.product ?? (input.product_data && createProduct(ledger, input.product_data).id) ?? '';
  const price = {
    id: newId('price'),
    object: 'price',
    active: input.active ?? true,
    billing_scheme: 'per_unit',
    created: ledger.now(),
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookup_key ?? null,
    metadata: updatedMetadata({}, input.metadata),
    nickname: null,
    product,
    recurring: input.recurring
      ? {
          interval: input.recurring.interval,
          interval_count: input.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: input.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: input.recurring ? 'recurring' : 'one_time',
    unit_amount: input.unit_amount,
    unit_amount_decimal: decimal(input.unit_amount),
  } satisfies Stripe.Price;
  ledger.prices.put(price.id, price);
  ledger.emit('price.created', price);
  return price;
}

/** A decimal is a string on the wire. stripe-node turns it into a `Decimal`. */
export const decimal = (amount: number): Stripe.Decimal => String(amount) as unknown as Stripe.Decimal;

/** A lookup key belongs to one price. It is refused if taken, or transferred if the request says so. */
export function claimLookupKey(
  ledger: Ledger,
  input: { lookup_key?: string; transfer_lookup_key?: boolean },
  priceId?: string,
): void {
  if (input.lookup_key === undefined) return;
  const holder = ledger.prices.list().find((price) => price.lookup_key === input.lookup_key);
  if (!holder || holder.id === priceId) return;
  if (!input.transfer_lookup_key) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. To transfer that lookup key to this price, ` +
        'set `transfer_lookup_key` to true.',
      'lookup_key',
      'resource_already_exists',
    );
  }
  const withoutKey = { ...holder, lookup_key: null };
  ledger.prices.put(holder.id, withoutKey);
  ledger.emit('price.updated', withoutKey, holder);
}

const quantity = between(1, 999_999);

const itemFields = { price: required(text), quantity } as const;

/** The items of `line_items` and of a subscription's `items`. */
export const orderedItems = list(object(itemFields));

/** The ordered prices. Refuses one-time prices and a mix of currencies or intervals. */
export function orderedPrices(
  ledger: Ledger,
  items: Input<typeof itemFields>[],
  parent: string,
): { price: Stripe.Price; quantity: number }[] {
  if (items.length === 0) throw parameterMissing(parent);
  const prices = items.map((item, index) => {
    const name = `${parent}[${index}]`;
    const price = ledger.prices.get(item.price);
    if (!price) throw missingReference('price', item.price, `${name}[price]`);
    if (!price.active) {
      throw invalid(
        `The price specified is inactive. This field only accepts active prices.`,
        `${name}[price]`,
      );
    }
    return { price, quantity: item.quantity ?? 1 };
  });
  const [first] = prices;
  for (const { price } of prices) {
    if (!price.recurring) {
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        `${parent}[0][price]`,
      );
    }
    if (price.currency !== first?.price.currency) {
      throw invalid('All prices on a subscription must have the same currency.', parent);
    }
    // Stripe can bill different intervals together. The product doesn't use that.
    if (JSON.stringify(price.recurring) !== JSON.stringify(first.price.recurring)) {
      throw invalid('All prices on a subscription must have the same `recurring.interval`.', parent);
    }
  }
  return prices;
}
