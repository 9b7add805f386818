/** A price as `product.ts` holds it. */
interface Price {
  /** In the smallest unit of its currency. */
  priceInCents: number;
  /** As Stripe writes it. */
  currency: keyof typeof symbols;
  /** Stripe's word for how often it is charged; null for a plan that costs nothing. */
  interval: 'month' | 'year' | null;
}

const symbols = { usd: '$' } as const;

/** `$5`, `$9.50`. Cents show only where there are any. */
export const amountText = ({ priceInCents, currency }: Pick<Price, 'priceInCents' | 'currency'>): string =>
  symbols[currency] + (priceInCents / 100).toFixed(priceInCents % 100 === 0 ? 0 : 2);

/** Adds the words for a price to a plan: `price` ("$5") and `period` ("per month"). */
export const withPriceText = <const P extends Price>(plan: P) => ({
  ...plan,
  price: amountText(plan),
  period: plan.interval === null ? 'forever' : `per ${plan.interval}`,
});
