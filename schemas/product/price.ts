/** A price as `product.ts` holds it. */
interface Price {
  /** Amount in the smallest unit of the currency. */
  priceInCents: number;
  /** Currency code in Stripe's spelling. */
  currency: keyof typeof symbols;
  /** Billing interval in Stripe's word; null for a plan that costs nothing. */
  interval: 'month' | 'year' | null;
}

const symbols = { usd: '$' } as const;

/** `$5`, `$9.50`. Cents appear only if there are any. */
export const amountText = ({ priceInCents, currency }: Pick<Price, 'priceInCents' | 'currency'>): string =>
  symbols[currency] + (priceInCents / 100).toFixed(priceInCents % 100 === 0 ? 0 : 2);

/** Adds the words for a price to a plan: `price` ("$5") and `period` ("per month"). */
export const withPriceText = <const P extends Price>(plan: P) => ({
  ...plan,
  price: amountText(plan),
  period: plan.interval === null ? 'forever' : `per ${plan.interval}`,
});
