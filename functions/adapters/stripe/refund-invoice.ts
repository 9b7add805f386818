import type Stripe from 'stripe';
import { idOf } from './id-of.ts';
import { stripeErrors } from './refusals.ts';

/**
 * Refunds what was paid for an invoice. Resolves with whether anything was. Safe to repeat: `why` and the
 * payment make the idempotency key.
 */
export async function refundInvoice(
  stripe: Stripe,
  invoice: string,
  why: 'surplus' | 'late',
): Promise<boolean> {
  let refunded = false;
  const { data: payments } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 });
  for (const { id, is_default, payment } of payments) {
    // An invoice marked as paid outside Stripe has no payment to refund.
    if (!payment.payment_intent) continue;
    // Stripe makes one default payment for an invoice. Support can add others.
    const key = is_default ? `${why}-${invoice}` : `${why}-${invoice}-${id}`;
    await refund(stripe, idOf(payment.payment_intent), key);
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

async function refund(stripe: Stripe, paymentIntent: string, idempotencyKey: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: paymentIntent, reason: 'duplicate' }, { idempotencyKey });
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError) || !alreadyReturned.has(error.code)) throw error;
  }
}
