/** An amount in the smallest unit of its currency, as people read it. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
