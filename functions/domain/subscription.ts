/**
 * What has been done about a duplicate: a second subscription beside the one that the plan is based on.
 * `found`: marked, not yet refunded. `nothing-taken`: cancelled, and its period was never paid.
 * Kept in Stripe's metadata, so a subscription once marked stays a duplicate even if the other one ends.
 */
export type DuplicateStatus = 'found' | 'refunded' | 'nothing-taken';

/** The parts of a Stripe subscription that decide a plan. */
export interface Subscription {
  id: string;
  customerId: string;
  /** The user it was bought for; undefined for a subscription that support made in Stripe. */
  userId: string | undefined;
  /** Stripe's status. A status that Stripe adds later entitles to nothing. */
  status: string;
  /** Unix seconds. */
  createdAt: number;
  /** End of the paid period, Unix seconds. */
  currentPeriodEnd: number;
  /** End set by `cancel_at` or `cancel_at_period_end`, Unix seconds; undefined while it renews. */
  endsAt: number | undefined;
  /** Whether `endsAt` is set by the flag `cancel_at_period_end`, as by our own cancellation. */
  cancelsAtPeriodEnd: boolean;
  /** When it ended for good, Unix seconds. */
  endedAt: number | undefined;
  /** Whether Stripe ended it because its payments failed. */
  endedByFailure: boolean;
  /**
   * What a renewal costs by the prices of its own items, in the currency's smallest unit. Leaves out taxes
   * and discounts. Undefined if a price has no fixed amount.
   */
  amount: number | undefined;
  /** Three lower-case letters, as in Stripe. */
  currency: string;
  /** When Stripe next tries a payment that failed, Unix seconds; undefined if it doesn't. */
  nextTryAt: number | undefined;
  /**
   * Stripe keeps a renewal's invoice as a draft for about an hour. Until then the period has moved on and
   * nothing was taken.
   */
  renewalPending: boolean;
  /**
   * With a payment method that settles late, Stripe calls a subscription active before its first payment has
   * arrived, and even after it has failed (https://docs.stripe.com/billing/subscriptions/overview).
   */
  firstPayment: 'arrived' | 'awaited' | 'failed';
  /** Whether the user cancelled it while a payment was due. What its last period was paid is refunded. */
  endedUnpaid: boolean;
  /** Undefined for almost every subscription. */
  duplicate: DuplicateStatus | undefined;
  /** Whether the invoices that it left open at its end have been voided. */
  invoicesVoided: boolean;
}

/**
 * `past_due` entitles while Stripe still retries the payment. When Stripe gives up, it changes the status.
 */
const entitlingStatuses: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Statuses that Stripe never changes again. */
const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

type Status = Pick<Subscription, 'status'>;

export const hasEntitlingStatus = ({ status }: Status): boolean => entitlingStatuses.has(status);

export const isEntitling = (subscription: Subscription): boolean =>
  hasEntitlingStatus(subscription) && !subscription.duplicate && subscription.firstPayment === 'arrived';

/** Active at Stripe, although its first payment has failed. The next period would be charged all the same. */
export const isNeverPaid = (subscription: Subscription): boolean =>
  subscription.firstPayment === 'failed' && hasEntitlingStatus(subscription);

/** Whether Stripe will take the payment of the current period, and has not taken it yet. */
export const isPaymentDue = ({ status, renewalPending }: Subscription): boolean =>
  status === 'past_due' || renewalPending;

/** Ended for good. */
export const hasEnded = ({ status }: Status): boolean => endedStatuses.has(status);

/** Neither entitling nor ended: paying its invoice gives Plus. */
export const isResumable = (subscription: Subscription): boolean =>
  !isEntitling(subscription) && !hasEnded(subscription) && !subscription.duplicate;

/**
 * Ended, with invoices that Stripe may still collect: a draft of the last renewal, or an open invoice, whose
 * page takes money and gives nothing. Stripe itself voids the invoice of a subscription that becomes
 * `incomplete_expired`.
 */
export const mayHaveOpenInvoices = ({ status, invoicesVoided }: Subscription): boolean =>
  status === 'canceled' && !invoicesVoided;
