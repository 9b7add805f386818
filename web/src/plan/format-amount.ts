/**
 * Formats an amount: `$5.00`. `amount` is in the currency's smallest unit: cents for dollars, yen for yen.
 * Wrong for currencies that Stripe writes with two decimals although they have none, such as ISK and UGX
 * (https://docs.stripe.com/currencies#special-cases). `tax`: the part of it that is tax.
 */
export function formatAmount(amount: number, currency: string, tax?: number): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  const text = format.format(amount / 10 ** maximumFractionDigits);
  return tax === undefined ? text : `${text}, including ${formatAmount(tax, currency)} tax`;
}
