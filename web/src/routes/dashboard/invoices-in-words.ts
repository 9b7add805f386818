import type { Invoice } from '../../../../schemas/invoice.ts';

const words: Record<string, string> = {
  open: 'Due',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Not collected',
};

/** What has become of an invoice, in a word for people. One that Stripe adds later shows as Stripe writes it. */
export function statusOf({ status, amount, refunded = 0, currency }: Invoice): string {
  if (refunded > 0) {
    return refunded >= amount ? 'Refunded' : `${moneyOf(refunded, currency)} refunded`;
  }
  if (status === null) return 'Unknown';
  return Object.hasOwn(words, status) ? String(words[status]) : status;
}

/** `$5.00`. `amount` is in the currency's smallest unit, of which some have a hundred and some one. */
export function moneyOf(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}
