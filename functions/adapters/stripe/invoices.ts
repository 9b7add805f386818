import type Stripe from 'stripe';
import type { Invoice } from '../../../schemas/shapes/invoice.ts';
import type { FailureCause } from '../../../schemas/shapes/standing.ts';
import type { Money, Subscription, SubscriptionInvoice } from '../../domain/subscription.ts';
import { isoFromUnix } from '../../domain/unix-time.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { readOrLog, unlessCustomerGone } from './refusals.ts';
import { toInvoice as toSubscriptionInvoice } from './to-subscription.ts';

const PAGE = 100;
// Twelve a year: more than enough for a lifetime.
const MAXIMUM = 1_000;

export const invoices = (connection: () => Promise<Connection>) => ({
  /** The next charge, with discounts, credit, added items and taxes. Undefined: none, or Stripe can't say. */
  async nextChargeOf({ id: subscription }: Subscription): Promise<Money | undefined> {
    const { stripe } = await connection();
    const preview = await readOrLog(() => stripe.invoices.createPreview({ subscription }));
    return preview && { amount: preview.amount_due, currency: preview.currency };
  },

  /** The last paid invoice, which needn't be the latest. Undefined if none was paid, or Stripe can't say. */
  async lastPaidOf({ id: subscription }: Subscription): Promise<SubscriptionInvoice | undefined> {
    const { stripe } = await connection();
    // A failure keeps no plan from being decided. An invoice that is paid late is at most a year old.
    const paid = await readOrLog(() => stripe.invoices.list({ subscription, status: 'paid', limit: 12 }));
    return paid?.data.map(toSubscriptionInvoice).toSorted((a, b) => (b.paidAt ?? 0) - (a.paidAt ?? 0))[0];
  },

  /** Why the last payment of an invoice failed. Undefined if Stripe can't say. */
  async failureCauseOf(invoice: string): Promise<FailureCause | undefined> {
    const { stripe } = await connection();
    const payments = await readOrLog(() =>
      stripe.invoicePayments.list({ invoice, limit: 1, expand: ['data.payment.payment_intent'] }),
    );
    const intent = payments?.data[0]?.payment.payment_intent;
    if (!intent || typeof intent === 'string') return undefined;
    const { status, last_payment_error: error } = intent;
    if (status === 'requires_action' || error?.code === 'authentication_required') return 'confirm';
    return error ? 'declined' : 'no-card';
  },

  /** Newest first, without drafts and drafts that were voided; none if the customer doesn't exist. */
  async invoicesOf(customer: string) {
    const { stripe } = await connection();
    const [list, charges] = await Promise.all([
      unlessCustomerGone(stripe, customer, () =>
        stripe.invoices
          .list({ customer, limit: PAGE, expand: ['data.payments'] })
          .autoPagingToArray({ limit: MAXIMUM }),
      ),
      // Only the charge says how much was refunded, and whether a payment is still processing.
      unlessCustomerGone(stripe, customer, () =>
        stripe.charges.list({ customer, limit: PAGE }).autoPagingToArray({ limit: MAXIMUM }),
      ),
    ]);
    return (list ?? []).filter(isShown).map((invoice) => toInvoice(invoice, charges ?? []));
  },
});

/**
 * A draft can still change, and has no number and no page. An invoice that was voided before any attempt to
 * collect it belongs to a renewal that the user canceled within the first hour.
 */
const isShown = ({ status, attempted }: Stripe.Invoice): boolean =>
  status !== 'draft' && (status !== 'void' || attempted);

/** `charges`: of the customer. */
function toInvoice(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): Invoice {
  const payments = (invoice.payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    intent ? [idOf(intent)] : [],
  );
  const own = payments.flatMap((id) =>
    charges.filter(({ payment_intent: intent }) => intent && idOf(intent) === id),
  );
  const refunded = own.reduce((sum, { amount_refunded: amount }) => sum + amount, 0);
  const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return {
    number: invoice.number,
    date: isoFromUnix(invoice.created),
    amount: invoice.total,
    ...(tax > 0 && { tax }),
    ...(refunded > 0 && { refunded }),
    ...(own.some(({ status }) => status === 'pending') && { processing: true as const }),
    currency: invoice.currency,
    status: invoice.status,
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
    invoice_pdf: invoice.invoice_pdf ?? null,
  };
}
