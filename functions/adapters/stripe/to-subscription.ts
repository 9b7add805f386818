import type Stripe from 'stripe';
import type { DuplicateStatus, Subscription } from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

const duplicateStatuses = [
  'found',
  'refunded',
  'nothing-taken',
] as const satisfies readonly DuplicateStatus[];

/** What every request that answers with a subscription expands. */
export const SUBSCRIPTION_EXPANSION = 'latest_invoice';

/**
 * The comment of a cancellation while a payment was due. Stripe keeps it with the cancellation itself, so it
 * can't be lost between two requests. Support reads it in Stripe's dashboard.
 */
export const CANCELLED_UNPAID = 'Cancelled by the user while a payment was due';

/**
 * Reads a subscription with its latest invoice expanded, and our metadata: `user_id`, `surplus` (what was
 * done about a duplicate) and `closed` (`yes` once its invoices are voided).
 */
export function toSubscription(subscription: Stripe.Subscription): Subscription {
  const { metadata } = subscription;
  const invoice = expandedInvoice(subscription);
  // Stripe keeps the period on the items. A subscription of ours has one item.
  const currentPeriodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    userId: metadata['user_id'],
    status: subscription.status,
    createdAt: subscription.created,
    currentPeriodEnd,
    endsAt: subscription.cancel_at ?? (subscription.cancel_at_period_end ? currentPeriodEnd : undefined),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: subscription.ended_at ?? undefined,
    endedByFailure: subscription.cancellation_details?.reason === 'payment_failed',
    amount: renewalAmountOf(subscription),
    currency: subscription.currency,
    nextTryAt: nextTryOf(invoice),
    renewalPending: invoice?.billing_reason === 'subscription_cycle' && invoice.status === 'draft',
    firstPayment: firstPaymentOf(invoice),
    endedUnpaid: subscription.cancellation_details?.comment === CANCELLED_UNPAID,
    duplicate: duplicateStatuses.find((status) => status === metadata['surplus']),
    invoicesVoided: metadata['closed'] === 'yes',
  };
}

/** Undefined if a price has tiers or a fraction of a cent: it then has no `unit_amount`. */
function renewalAmountOf({ items }: Stripe.Subscription): number | undefined {
  const amounts = items.data.map(({ price, quantity = 1 }) =>
    price.unit_amount === null ? undefined : price.unit_amount * quantity,
  );
  return amounts.reduce(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  );
}

/** Before the first attempt, the same field holds the time of that attempt. */
function nextTryOf(latest: Stripe.Invoice | undefined): number | undefined {
  return latest?.status === 'open' && latest.attempted
    ? (latest.next_payment_attempt ?? undefined)
    : undefined;
}

/** From the latest invoice. If that is a later invoice, the first was paid. */
function firstPaymentOf(latest: Stripe.Invoice | undefined): Subscription['firstPayment'] {
  // An invoice that support sends by mail is support's decision.
  const isFirst =
    latest?.billing_reason === 'subscription_create' && latest.collection_method === 'charge_automatically';
  if (!isFirst || latest.status === 'paid') return 'arrived';
  return latest.status === 'open' || latest.status === 'draft' ? 'awaited' : 'failed';
}

function expandedInvoice({ id, latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | undefined {
  if (typeof invoice === 'string') throw new Error(`The latest invoice of ${id} was not expanded.`);
  return invoice ?? undefined;
}
