// https://docs.stripe.com/currencies#minor-units. Unicode's data differ in some twenty others, and change
// with the runtime: Stripe has two decimals for HUF, ISK and UGX.
const WITHOUT_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf';
const WITH_THREE_DECIMALS = 'bhd jod kwd omr tnd';

/** Formats an amount in the unit of Stripe's API: `$5.00`. `tax`: the part of it that is tax. */
export function formatAmount(amount: number, currency: string, tax?: number): string {
  const isIn = (list: string) => list.split(' ').includes(currency.toLowerCase());
  const digits = isIn(WITHOUT_DECIMALS) ? 0 : isIn(WITH_THREE_DECIMALS) ? 3 : 2;
  const text = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
  return tax === undefined ? text : `${text}, including ${formatAmount(tax, currency)} tax`;
}
