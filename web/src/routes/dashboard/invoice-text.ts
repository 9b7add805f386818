import type { Invoice } from '../../../../schemas/invoice.ts';

const texts: Record<string, string> = {
  open: 'Due',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Not collected',
};

/** An invoice's status as text. A status that Stripe adds later shows as Stripe writes it. */
export function statusText({ status, amount, refunded = 0, currency }: Invoice): string {
  if (refunded > 0) {
    return refunded >= amount ? 'Refunded' : `${formatAmount(refunded, currency)} refunded`;
  }
  if (status === null) return 'Unknown';
  return Object.hasOwn(texts, status) ? String(texts[status]) : status;
}

/** `$5.00`. `amount` is in the currency's smallest unit: cents for dollars, yen for yen. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}
