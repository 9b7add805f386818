import type Stripe from 'stripe';
import type { Subscription } from '../../domain/decide-plan.ts';
import { refundInvoice } from './refund-invoice.ts';

/** Gives back what was taken for the subscription's present period; whether there was anything. */
export async function refundPeriod(
  stripe: Stripe,
  { id: subscription, currentPeriodEnd }: Subscription,
  why: 'surplus' | 'late',
): Promise<boolean> {
  // What a period before this one cost was used up. There is one invoice to a period; a few leave room for support's own.
  const { data: invoices } = await stripe.invoices.list({ subscription, status: 'paid', limit: 10 });
  const present = invoices.filter(({ lines }) =>
    lines.data.some(({ period }) => period.end >= currentPeriodEnd),
  );
  let refunded = false;
  for (const { id } of present) {
    refunded = (await refundInvoice(stripe, id, why)) || refunded;
  }
  return refunded;
}
