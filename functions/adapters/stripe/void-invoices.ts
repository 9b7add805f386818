import type Stripe from 'stripe';
import type { Subscription } from '../../domain/subscription.ts';
import { refundInvoice } from './refund-invoice.ts';
import { unlessRefused } from './refusals.ts';

// One or two are open: a failed renewal, and at most the next. The rest of the page is for settings at Stripe
// that keep a subscription past due for years.
const PAGE = 100;

/**
 * Voids the invoices that an ended subscription left open, and refunds what was paid after its end. Safe to
 * repeat.
 */
export async function voidOpenInvoices(
  stripe: Stripe,
  { id: subscription, endedAt = Infinity }: Pick<Subscription, 'id' | 'endedAt'>,
): Promise<void> {
  // Both in one answer: between two, an invoice could be paid and be in neither.
  let { data: invoices } = await stripe.invoices.list({ subscription, limit: PAGE });
  const open = invoices.filter(({ status }) => status === 'open');
  // Refused if it was paid or voided meanwhile. What was paid is refunded below.
  for (const { id } of open) await unlessRefused(() => stripe.invoices.voidInvoice(id));
  if (open.length > 0) ({ data: invoices } = await stripe.invoices.list({ subscription, limit: PAGE }));
  for (const { id, status, status_transitions } of invoices) {
    if (status === 'paid' && (status_transitions.paid_at ?? 0) > endedAt) {
      await refundInvoice(stripe, id, 'late');
    }
  }
}
