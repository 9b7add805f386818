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

export const isEntitling = ({ status, duplicate }: Subscription): boolean =>
  entitlingStatuses.has(status) && !duplicate;

/** Ended for good. */
export const hasEnded = ({ status }: Status): boolean => endedStatuses.has(status);

/** Neither entitling nor ended: paying its invoice makes it active again. */
export const isResumable = ({ status }: Status): boolean =>
  !entitlingStatuses.has(status) && !endedStatuses.has(status);

/** Ended, with invoices that may still be open: Stripe's page would take money for them and give nothing. */
export const mayHaveOpenInvoices = (subscription: Subscription): boolean =>
  hasEnded(subscription) && !subscription.invoicesVoided;
