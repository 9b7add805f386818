const symbols = { usd: '$' } as const;

/** Currency code in Stripe's spelling. */
export type Currency = keyof typeof symbols;

/** `every` follows "on this day of", and `by` follows "is billed". */
export const intervalWords = {
  month: { period: 'per month', every: 'every month', by: 'monthly', one: 'a month' },
  year: { period: 'per year', every: 'every year', by: 'yearly', one: 'a year' },
} as const;

/** A billing interval in Stripe's word. */
export type Interval = keyof typeof intervalWords;

export interface Price {
  /** In the smallest unit of the currency. */
  priceInCents: number;
  currency: Currency;
}

/** `$5`, `$9.50`. Cents appear only if there are any. */
export const amountText = ({ priceInCents, currency }: Price): string =>
  symbols[currency] + (priceInCents / 100).toFixed(priceInCents % 100 === 0 ? 0 : 2);
