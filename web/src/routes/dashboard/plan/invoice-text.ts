import type { Invoice } from '../../../../../schemas/shapes/invoice.ts';
import { formatAmount } from '../../../../../schemas/product/format-amount.ts';

const texts: Record<string, string> = {
  open: 'Due',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Not collected',
};

/** An invoice's status as text. A status that Stripe adds later shows as Stripe writes it. */
export function statusText({ status, amount, refunded = 0, processing, currency }: Invoice): string {
  if (refunded > 0) {
    return refunded >= amount ? 'Refunded' : `${formatAmount(refunded, currency)} refunded`;
  }
  if (processing) return 'Processing';
  if (status === null) return 'Unknown';
  return Object.hasOwn(texts, status) ? String(texts[status]) : status;
}
