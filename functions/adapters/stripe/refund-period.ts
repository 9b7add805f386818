import type Stripe from 'stripe';
import type { Subscription } from '../../domain/subscription.ts';
import { refundInvoice } from './refund-invoice.ts';

/** Refunds what was paid for the subscription's current period. Resolves with whether anything was. */
export async function refundPeriod(
  stripe: Stripe,
  { id: subscription, currentPeriodEnd }: Subscription,
  why: 'surplus' | 'late',
): Promise<boolean> {
  // Earlier periods were used. A period has one invoice; the limit leaves room for support's own.
  const { data: invoices } = await stripe.invoices.list({ subscription, status: 'paid', limit: 10 });
  const current = invoices.filter(({ lines }) =>
    lines.data.some(({ period }) => period.end >= currentPeriodEnd),
  );
  let refunded = false;
  for (const { id } of current) {
    refunded = (await refundInvoice(stripe, id, why)) || refunded;
  }
  return refunded;
}
