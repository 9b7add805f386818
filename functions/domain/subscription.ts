import type { PaidPlan } from '../../schemas/product/offers.ts';
import type { Agreement } from './agreement.ts';

/**
 * Why we end a subscription. Written to Stripe's metadata before anything else, so that a retry decides the
 * same and a marked subscription never gives a plan again. `duplicate`: beside the subscription that the plan
 * is based on. `withdrawn`: the user has withdrawn from the contract. `declined`: the user canceled while a
 * payment was due. `unpaid`: its payments failed, also where Stripe ended it for that.
 */
export type EndReason = 'duplicate' | 'withdrawn' | 'declined' | 'unpaid';

/** Whether the payments of a duplicate or a withdrawn subscription are refunded. `none`: it had none. */
export type RefundStatus = 'due' | 'done' | 'none';

/** Whether a subscription is still to be refunded and canceled. */
export const mustBeRefunded = ({ refund }: Pick<Subscription, 'refund'>): boolean => refund === 'due';

/** Whether a payment for the last period of an ended subscription is not ours to keep. */
export const wasEndedUnpaid = ({ ended }: Pick<Subscription, 'ended'>): boolean =>
  ended === 'declined' || ended === 'unpaid';

/** An invoice of a subscription. */
export interface SubscriptionInvoice {
  id: string;
  /** Whether it bills the purchase, and not a renewal. */
  isFirst: boolean;
  /** Unix seconds. Undefined unless it is paid. */
  paidAt: number | undefined;
  /** The amount that was paid or, before that, is due, in the currency's smallest unit. */
  amount: number;
  /** The day until which a sent invoice is to be paid, Unix seconds. Undefined unless support sends it. */
  dueAt: number | undefined;
  /** Time when Stripe begins to collect a draft, Unix seconds; Infinity if it can't. Else undefined. */
  collectedAt: number | undefined;
  /** Stripe's page of the invoice, where everyone with the address can pay it. */
  url: string | undefined;
  /** Beginning of the billed period, Unix seconds. */
  periodStart: number;
}

/** The parts of a Stripe subscription that decide a plan. Always a subscription of ours: see `mark.ts`. */
export interface Subscription {
  id: string;
  customerId: string;
  /** The plan that its price gives. */
  plan: PaidPlan;
  /** The user that the subscription was bought for; undefined if support made it in Stripe. */
  userId: string | undefined;
  /** Stripe's status. A status that Stripe adds later entitles to nothing. */
  status: string;
  /** Unix seconds. */
  createdAt: number;
  /** The agreement of the buyer, made at `createdAt`. Undefined if the site didn't sell the subscription. */
  agreement: Agreement | undefined;
  /** End of the paid period, Unix seconds. */
  currentPeriodEnd: number;
  /**
   * End set by `cancel_at` or `cancel_at_period_end`, Unix seconds; undefined while the subscription renews.
   */
  endsAt: number | undefined;
  /** Whether `endsAt` is set by the flag `cancel_at_period_end`, as by our own cancellation. */
  cancelsAtPeriodEnd: boolean;
  /** Time of the definitive end, Unix seconds. */
  endedAt: number | undefined;
  /**
   * The charge of a renewal by the prices of the subscription's own items, in the currency's smallest unit,
   * with the taxes in them and without discounts. Undefined if a price has no fixed amount.
   */
  amount: number | undefined;
  /** Three lower-case letters, as in Stripe. */
  currency: string;
  /** Stripe's word, such as `month`. Undefined if a renewal comes after several of them. */
  interval: string | undefined;
  latestInvoice: SubscriptionInvoice | undefined;
  /** Time of Stripe's next try of a failed payment, Unix seconds; undefined if there is none. */
  nextTryAt: number | undefined;
  /**
   * The end of Plus unless the payment arrives, Unix seconds. Only for a past due subscription whose payment
   * Stripe doesn't try again by itself.
   */
  triesEndAt: number | undefined;
  /** Whether Stripe has stopped trying to collect: `triesEndAt` has passed. */
  stoppedTrying: boolean;
  /**
   * The period has moved on and its payment is on the way: the renewal's invoice is a draft, as for about an
   * hour after each renewal, or not tried yet, or the bank is still processing the payment.
   */
  renewalPending: boolean;
  /** Whether support has paused the payments: the subscription goes on and nothing is charged. */
  collectionPaused: boolean;
  /**
   * With a delayed payment method, Stripe calls a subscription active before its first payment arrives, and
   * even after that payment fails (https://docs.stripe.com/billing/subscriptions/overview).
   */
  firstPayment: 'arrived' | 'awaited' | 'failed';
  /** Undefined while the subscription runs, and where it ended as scheduled or by another hand. */
  ended: EndReason | undefined;
  refund: RefundStatus | undefined;
  /** Whether the invoices that were open at the subscription's end have been voided. */
  invoicesVoided: boolean;
}

/**
 * `past_due` entitles while Stripe still retries the payment. When Stripe gives up, it usually changes the
 * status. A setting of Stripe's keeps `past_due` instead: then `stoppedTrying` decides.
 */
const entitlingStatuses: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Statuses that Stripe never changes again. */
const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

type Status = Pick<Subscription, 'status'>;

export const hasEntitlingStatus = ({ status }: Status): boolean => entitlingStatuses.has(status);

export const isEntitling = (subscription: Subscription): boolean =>
  hasEntitlingStatus(subscription) &&
  !subscription.ended &&
  !subscription.stoppedTrying &&
  subscription.firstPayment === 'arrived';

/**
 * Whether the subscription is to be canceled at Stripe: its end was begun, its first payment failed, or
 * Stripe has stopped trying to collect and would charge the next period all the same.
 */
export const runsUnpaid = (subscription: Subscription): boolean =>
  (wasEndedUnpaid(subscription) && !hasEnded(subscription)) ||
  (hasEntitlingStatus(subscription) &&
    (subscription.firstPayment === 'failed' || subscription.stoppedTrying));

// Seconds. A try that is a day late isn't coming.
export const LATE_TRY = 86_400;

/**
 * The time to decide the plan of a past due subscription again, in Unix seconds: Stripe sends no event where
 * support switches its tries off. Undefined while an event is going to come.
 */
export const decidedAgainAt = ({ status, triesEndAt, nextTryAt }: Subscription): number | undefined => {
  if (status !== 'past_due') return undefined;
  return triesEndAt ?? (nextTryAt === undefined ? undefined : nextTryAt + LATE_TRY);
};

/** Whether Stripe will charge for the current period and hasn't yet. Support decides about a sent invoice. */
export const isPaymentDue = ({ status, renewalPending, latestInvoice }: Subscription): boolean =>
  renewalPending || (status === 'past_due' && latestInvoice?.dueAt === undefined);

/** Whether the subscription will be charged again, also if it has an end after the next renewal. */
export const renewsBeforeEnd = ({ endsAt, currentPeriodEnd }: Subscription): boolean =>
  endsAt === undefined || endsAt > currentPeriodEnd;

/** Whether the subscription has ended for good. */
export const hasEnded = ({ status }: Status): boolean => endedStatuses.has(status);

/**
 * Whether the bank is still processing the first payment. Meanwhile, Stripe refuses to void, refund or
 * collect that payment.
 */
export const isPaymentProcessing = (subscription: Subscription): boolean =>
  hasEntitlingStatus(subscription) && !subscription.ended && subscription.firstPayment === 'awaited';

/**
 * Whether the subscription gives no Plus now, but would if its invoice were paid. Neither entitling nor
 * processing nor ended.
 */
export const isResumable = (subscription: Subscription): boolean =>
  !isEntitling(subscription) &&
  !isPaymentProcessing(subscription) &&
  !hasEnded(subscription) &&
  !subscription.ended;

/** Whether paying its invoice activates the subscription. Only support resumes a paused one. */
export const isPayable = (subscription: Subscription): boolean =>
  isResumable(subscription) && subscription.status !== 'paused';

/**
 * Whether the subscription has ended with invoices that Stripe may still collect: a draft of the last
 * renewal, or an open invoice, whose page takes money and gives nothing. Stripe itself voids the invoice of a
 * subscription that becomes `incomplete_expired`.
 */
export const mayHaveOpenInvoices = ({ status, invoicesVoided }: Subscription): boolean =>
  status === 'canceled' && !invoicesVoided;

/** The subscription that was bought last, of those that `isMeant` accepts. */
export const newestOf = (
  subscriptions: readonly Subscription[],
  isMeant: (each: Subscription) => boolean,
): Subscription | undefined => subscriptions.filter(isMeant).toSorted((a, b) => b.createdAt - a.createdAt)[0];

/** Whether its first payment gave a plan: a duplicate's is refunded. */
export const wasPaid = ({ firstPayment, ended }: Subscription): boolean =>
  firstPayment === 'arrived' && ended !== 'duplicate';

/** Seconds. Stripe collects a renewal about an hour after the end of the period before. */
export const COLLECTED_AFTER = 3600;

/** A charge that is still to come. */
export interface NextCharge {
  /** Unix seconds. */
  at: number;
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
}
