const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount in the smallest unit of its currency. */
export function money(amount: number, currency: string): string {
  // A new format takes longer than all else that an invoice needs.
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount / 100);
}
