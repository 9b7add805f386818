import type Stripe from 'stripe';
import { idOf } from './id-of.ts';
import { stripeErrors } from './refusals.ts';

/**
 * Gives back what an invoice took; whether there was anything. It may be repeated: `why` and the payment make the idempotency
 * key.
 */
export async function refundInvoice(
  stripe: Stripe,
  invoice: string,
  why: 'surplus' | 'late',
): Promise<boolean> {
  let refunded = false;
  const { data: payments } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 });
  for (const { id, is_default, payment } of payments) {
    // An invoice that was marked as paid by other means took nothing that we could give back.
    if (!payment.payment_intent) continue;
    // Only support can add a payment beside the one that Stripe makes for an invoice itself.
    const key = is_default ? `${why}-${invoice}` : `${why}-${invoice}-${id}`;
    await refund(stripe, idOf(payment.payment_intent), key);
    refunded = true;
  }
  return refunded;
}

// Given back already, or being fetched back by the payer's bank: in either case done.
const givenBack = new Set<string | undefined>([
  'charge_already_refunded',
  'charge_disputed',
  'refund_disputed_payment',
]);

async function refund(stripe: Stripe, paymentIntent: string, idempotencyKey: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: paymentIntent, reason: 'duplicate' }, { idempotencyKey });
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError) || !givenBack.has(error.code)) throw error;
  }
}
