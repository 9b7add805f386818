import type Stripe from 'stripe';
import type { Invoice } from '../../../schemas/invoice.ts';
import { isoFromUnix } from '../../domain/unix-time.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { unlessCustomerGone } from './refusals.ts';

const PAGE = 100;
// Twelve a year: more than a lifetime.
const MAXIMUM = 1_000;

export const invoices = (connection: () => Promise<Connection>): Pick<Billing, 'invoicesOf'> => ({
  async invoicesOf(customer) {
    const { stripe } = await connection();
    const [list, charges] = await Promise.all([
      unlessCustomerGone(stripe, customer, () =>
        stripe.invoices
          .list({ customer, limit: PAGE, expand: ['data.payments'] })
          .autoPagingToArray({ limit: MAXIMUM }),
      ),
      // The refunded amount is on the charge only, not on the invoice.
      unlessCustomerGone(stripe, customer, () =>
        stripe.charges.list({ customer, limit: PAGE }).autoPagingToArray({ limit: MAXIMUM }),
      ),
    ]);
    const refunds = refundsByPayment(charges ?? []);
    return (list ?? []).filter(isShown).map((invoice) => toInvoice(invoice, refunds));
  },
});

/**
 * A draft can still change, and has no number and no page. An invoice that was voided before anybody was
 * asked to pay it is that of a renewal which the user declined in its first hour.
 */
const isShown = ({ status, attempted }: Stripe.Invoice): boolean =>
  status !== 'draft' && (status !== 'void' || attempted);

/** Refunded cents by payment intent. */
function refundsByPayment(charges: readonly Stripe.Charge[]): ReadonlyMap<string, number> {
  const refunds = new Map<string, number>();
  for (const { payment_intent: intent, amount_refunded: amount } of charges) {
    if (intent && amount > 0) refunds.set(idOf(intent), (refunds.get(idOf(intent)) ?? 0) + amount);
  }
  return refunds;
}

function toInvoice(invoice: Stripe.Invoice, refunds: ReadonlyMap<string, number>): Invoice {
  const refunded = (invoice.payments?.data ?? [])
    .map(({ payment }) => (payment.payment_intent ? (refunds.get(idOf(payment.payment_intent)) ?? 0) : 0))
    .reduce((sum, amount) => sum + amount, 0);
  return {
    number: invoice.number,
    date: isoFromUnix(invoice.created),
    amount: invoice.total,
    ...(refunded > 0 && { refunded }),
    currency: invoice.currency,
    status: invoice.status,
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
    invoice_pdf: invoice.invoice_pdf ?? null,
  };
}
