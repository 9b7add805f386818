import type Stripe from 'stripe';
import { refundInvoice } from './refund-invoice.ts';
import { unlessRefused } from './refusals.ts';

/**
 * Makes what a subscription left open at its end unpayable, and gives back what somebody paid for it all the same. Each may
 * be repeated.
 */
export async function closeInvoices(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  // One or two: a renewal that failed, and at most the next.
  const { data: open } = await stripe.invoices.list({
    subscription: subscription.id,
    status: 'open',
    limit: 100,
  });
  // One that is paid or voided meanwhile can't be voided; what was paid is seen below.
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
