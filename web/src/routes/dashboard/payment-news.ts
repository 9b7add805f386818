import type { BillingOverview } from '../../../../schemas/billing.ts';

/** What has happened to the user's payments. `payAt`: Stripe's page of the unpaid invoice. */
type PaymentNews =
  | { kind: 'none' }
  /** A payment failed, and Stripe tries it again. `cardTaken`: Stripe has taken a new card since. */
  | { kind: 'due'; nextTry: string | null; payAt: string | null; cardTaken: boolean }
  /** Stripe has stopped trying. Paying the invoice brings Plus back. */
  | { kind: 'paused'; payAt: string | null }
  /** Plus ended because payments failed. */
  | { kind: 'lost'; since: string }
  /** A new card was taken, and no payment is due. */
  | { kind: 'card-taken' };

/**
 * `cardTaken` is what the address says: Stripe's page leads back to it once a card was taken. As anybody can
 * write an address, it changes what is said and hides nothing that is to be done.
 */
export function paymentNewsOf(
  { subscription, lostAt, invoices }: BillingOverview,
  cardTaken: boolean,
): PaymentNews {
  if (lostAt !== null) return { kind: 'lost', since: lostAt };
  const payAt = invoices.find(({ status }) => status === 'open')?.hosted_invoice_url ?? null;
  switch (subscription?.status) {
    case 'past_due':
      return { kind: 'due', nextTry: subscription.nextTry, payAt, cardTaken };
    case 'unpaid':
      return { kind: 'paused', payAt };
    case 'active':
      return { kind: cardTaken ? 'card-taken' : 'none' };
    default:
      return { kind: 'none' };
  }
}
