import type Stripe from 'stripe';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { isBasedOn } from '../../domain/decide-plan.ts';
import { isOurs, ownerIn } from '../../domain/mark.ts';
import { customerIdOf } from '../../domain/plan.ts';
import type { DuplicateStatus, Subscription } from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

const duplicateStatuses = [
  'found',
  'refunded',
  'nothing-taken',
] as const satisfies readonly DuplicateStatus[];

/** The field that every request for a subscription expands. */
export const SUBSCRIPTION_EXPANSION = 'latest_invoice';

/**
 * The comment of a cancellation while a payment was due. Stripe stores the comment with the cancellation, so
 * it can't be lost between two requests. Support reads it in Stripe's dashboard.
 */
export const CANCELLED_UNPAID = 'Cancelled by the user while a payment was due';

/** The comment of a cancellation by a deletion that waits. */
export const CANCELLED_BY_DELETION = 'The account waits for its deletion';

/**
 * The subscriptions of a customer that are ours: those with our mark, those with only marked prices, as
 * support makes them in Stripe's dashboard, and those from before the mark whose customer the user's row
 * names.
 */
export const ownSubscriptions = (
  subscriptions: readonly Stripe.Subscription[],
  stage: string,
  row: UserPlan,
): Subscription[] =>
  subscriptions
    .filter((subscription) => isOwn(subscription, stage, row))
    .map((subscription) => toSubscription(subscription, stage));

export function isOwn(subscription: Stripe.Subscription, stage: string, row: UserPlan): boolean {
  const owner = ownerIn(subscription.metadata, stage);
  if (owner.kind !== 'unmarked') return owner.kind === 'ours';
  if (hasOwnPrices(subscription, stage)) return true;
  if (customerIdOf(row) !== idOf(subscription.customer)) return false;
  return owner.userId === row.id || isBasedOn(row, { id: subscription.id, endsAt: endOf(subscription) });
}

/** A subscription with several items may include another product's. */
const hasOwnPrices = ({ items }: Stripe.Subscription, stage: string): boolean =>
  items.data.length > 0 && items.data.every(({ price }) => isOurs(price.metadata, stage));

/** Stripe keeps the period on the items. A subscription of ours has one item. */
const currentPeriodEndOf = ({ items }: Stripe.Subscription): number =>
  Math.max(...items.data.map((item) => item.current_period_end));

const endOf = (subscription: Stripe.Subscription): number | undefined =>
  subscription.cancel_at ??
  (subscription.cancel_at_period_end ? currentPeriodEndOf(subscription) : undefined);

/**
 * Reads a subscription of ours with its latest invoice expanded, and our metadata: the mark, `surplus` (the
 * status of a duplicate) and `closed` (`yes` once its invoices are voided).
 */
export function toSubscription(subscription: Stripe.Subscription, stage: string): Subscription {
  const { metadata } = subscription;
  const owner = ownerIn(metadata, stage);
  const userId = owner.kind === 'foreign' ? undefined : owner.userId;
  const invoice = expandedInvoice(subscription);
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    // A subscription that support makes with our price names no user, and needs no mark of its own.
    isMarked: owner.kind === 'ours' || (userId === undefined && hasOwnPrices(subscription, stage)),
    userId,
    status: subscription.status,
    createdAt: subscription.created,
    currentPeriodEnd: currentPeriodEndOf(subscription),
    endsAt: endOf(subscription),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    endsByDeletion:
      endOf(subscription) !== undefined &&
      subscription.cancellation_details?.comment === CANCELLED_BY_DELETION,
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

/** Undefined if a price has tiers or a fraction of a cent: such a price has no `unit_amount`. */
function renewalAmountOf({ items }: Stripe.Subscription): number | undefined {
  const amounts = items.data.map(({ price, quantity = 1 }) =>
    price.unit_amount === null ? undefined : price.unit_amount * quantity,
  );
  return amounts.reduce(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  );
}

/** Stripe's field holds the time of the first attempt until that attempt is made. */
function nextTryOf(latest: Stripe.Invoice | undefined): number | undefined {
  return latest?.status === 'open' && latest.attempted
    ? (latest.next_payment_attempt ?? undefined)
    : undefined;
}

/** Read from the latest invoice. If a later invoice exists, the first was paid. */
function firstPaymentOf(latest: Stripe.Invoice | undefined): Subscription['firstPayment'] {
  // Support decides about invoices that it sends by mail.
  const isFirst =
    latest?.billing_reason === 'subscription_create' && latest.collection_method === 'charge_automatically';
  if (!isFirst || latest.status === 'paid') return 'arrived';
  return latest.status === 'open' || latest.status === 'draft' ? 'awaited' : 'failed';
}

function expandedInvoice({ id, latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | undefined {
  if (typeof invoice === 'string') throw new Error(`The latest invoice of ${id} was not expanded.`);
  return invoice ?? undefined;
}
