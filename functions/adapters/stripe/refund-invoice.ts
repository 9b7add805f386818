import type Stripe from 'stripe';
import type { Subscription } from '../../domain/subscription.ts';
import { metric } from '../../runtime/metric.ts';
import { idOf } from './id-of.ts';
import { stripeErrors } from './refusals.ts';

/** Refunds what was paid for the subscription's current period. Resolves with whether anything was. */
export async function refundPeriod(
  stripe: Stripe,
  { id: subscription, currentPeriodEnd }: Subscription,
): Promise<boolean> {
  // Earlier periods were used. A period has one invoice; the limit leaves room for support's own.
  const { data: invoices } = await stripe.invoices.list({ subscription, status: 'paid', limit: 10 });
  let refunded = false;
  for (const invoice of invoices) {
    if (isOfLastPeriod(invoice, currentPeriodEnd)) {
      refunded = (await refundInvoice(stripe, invoice.id)) || refunded;
    }
  }
  return refunded;
}

/** Whether the invoice bills the subscription's current period. */
export const isOfLastPeriod = ({ lines }: Stripe.Invoice, currentPeriodEnd: number): boolean =>
  lines.data.some(({ period }) => period.end >= currentPeriodEnd);

/**
 * Refunds what was paid for an invoice. Resolves with whether anything was. Safe to repeat, also at the same
 * time: Stripe refuses a second refund of the whole payment. A key of ours would make it worse, since Stripe
 * repeats a refusal for 24 hours under its key.
 */
export async function refundInvoice(stripe: Stripe, invoice: string): Promise<boolean> {
  let refunded = false;
  const { data: payments } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 });
  for (const { payment } of payments) {
    // An invoice marked as paid outside Stripe has no payment to refund.
    if (!payment.payment_intent) continue;
    await refund(stripe, idOf(payment.payment_intent));
    refunded = true;
  }
  return refunded;
}

// Refunded already, or disputed and returned by the payer's bank.
const alreadyReturned = new Set<string | undefined>([
  'charge_already_refunded',
  'charge_disputed',
  'refund_disputed_payment',
]);

async function refund(stripe: Stripe, paymentIntent: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: paymentIntent, reason: 'duplicate' });
    metric('Refunds');
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError) || !alreadyReturned.has(error.code)) throw error;
  }
}
