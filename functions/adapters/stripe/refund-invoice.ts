import type Stripe from 'stripe';
import type { Subscription } from '../../domain/subscription.ts';
import { metric } from '../../runtime/metric.ts';
import { idOf } from './id-of.ts';
import { refusalIn } from './refusals.ts';

/** The metadata of refunds: our mark. */
type RefundMetadata = Record<string, string>;

/** Refunds the periods that end after `since`, or the current one. Resolves with whether there were any. */
export async function refundPeriods(
  stripe: Stripe,
  { id, currentPeriodEnd, ended }: Subscription,
  since: number | undefined,
  metadata: RefundMetadata,
): Promise<boolean> {
  // A period has one invoice. Schedules that stood still for years would be needed to exceed a page.
  const { data: invoices } = await stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 });
  const reason = ended === 'withdrawn' ? 'requested_by_customer' : 'duplicate';
  let refunded = false;
  for (const invoice of invoices) {
    const isSince = since !== undefined && invoice.lines.data.some(({ period }) => period.end > since);
    if (isSince || isOfLastPeriod(invoice, currentPeriodEnd)) {
      refunded = (await refundInvoice(stripe, invoice.id, metadata, reason)) || refunded;
    }
  }
  return refunded;
}

/** Whether the invoice bills the subscription's current period. */
export const isOfLastPeriod = ({ lines }: Stripe.Invoice, currentPeriodEnd: number): boolean =>
  lines.data.some(({ period }) => period.end >= currentPeriodEnd);

/**
 * Refunds the payments of an invoice. Resolves with whether there were any. Safe to repeat, even
 * concurrently: Stripe refuses a second refund of the whole payment. An idempotency key would do harm, since
 * Stripe repeats a refusal under the same key for 24 hours.
 */
export async function refundInvoice(
  stripe: Stripe,
  invoice: string,
  metadata: RefundMetadata,
  reason: Stripe.RefundCreateParams.Reason = 'duplicate',
): Promise<boolean> {
  let refunded = false;
  const { data: payments } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 });
  for (const { payment } of payments) {
    // An invoice marked as paid outside Stripe has no payment to refund.
    if (!payment.payment_intent) continue;
    await refund(stripe, { payment_intent: idOf(payment.payment_intent), reason, metadata });
    refunded = true;
  }
  return refunded;
}

// The payment was refunded already, or disputed and returned by the payer's bank.
const alreadyReturned = new Set<string | undefined>([
  'charge_already_refunded',
  'charge_disputed',
  'refund_disputed_payment',
]);

async function refund(stripe: Stripe, order: Stripe.RefundCreateParams): Promise<void> {
  try {
    await stripe.refunds.create(order);
    metric('Refunds');
  } catch (error) {
    if (!alreadyReturned.has((await refusalIn(error))?.code)) throw error;
  }
}
