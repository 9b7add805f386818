import type Stripe from 'stripe';
import { refundInvoice } from './refund-invoice.ts';
import { unlessRefused } from './refusals.ts';

/**
 * Voids the invoices that an ended subscription left open, and refunds what was paid after its end. Safe to
 * repeat.
 */
export async function voidOpenInvoices(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  // One or two: a failed renewal, and at most the next.
  const { data: open } = await stripe.invoices.list({
    subscription: subscription.id,
    status: 'open',
    limit: 100,
  });
  // Refused if it was paid or voided meanwhile. What was paid is refunded below.
  for (const { id } of open) await unlessRefused(() => stripe.invoices.voidInvoice(id));
  const endedAt = subscription.ended_at ?? Infinity;
  const { data: paid } = await stripe.invoices.list({
    subscription: subscription.id,
    status: 'paid',
    limit: 10,
  });
  for (const invoice of paid) {
    if ((invoice.status_transitions.paid_at ?? 0) > endedAt) await refundInvoice(stripe, invoice.id, 'late');
  }
}
