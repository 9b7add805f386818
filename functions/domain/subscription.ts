import type { PaidPlan } from '../../schemas/product/offers.ts';
import type { Agreement } from './agreement.ts';

/**
 * Why we end a subscription. Written to Stripe's metadata first: a retry decides the same, and a marked
 * subscription never gives a plan again. `duplicate`: beside the active one. `withdrawn`: the user withdrew
 * from the contract. `declined`: canceled while a payment was due. `unpaid`: its payments failed, also where
 * Stripe ended it for that.
 */
export type EndReason = 'duplicate' | 'withdrawn' | 'declined' | 'unpaid';

/** Whether the payments of a duplicate or a withdrawn subscription are refunded. `none`: it had none. */
export type RefundStatus = 'due' | 'done' | 'none';

export const mustBeRefunded = ({ refund }: Pick<Subscription, 'refund'>): boolean => refund === 'due';

/** Whether a payment for the last period of an ended subscription is not ours to keep. */
export const wasEndedUnpaid = ({ ended }: Pick<Subscription, 'ended'>): boolean =>
  ended === 'declined' || ended === 'unpaid';

export interface SubscriptionInvoice {
  id: string;
  /** Whether it bills the purchase, and not a renewal. */
  isFirst: boolean;
  /** Unix seconds. Undefined unless it is paid. */
  paidAt: number | undefined;
  /** The amount that was paid or, before that, is due, in the currency's smallest unit. */
  amount: number;
  /** Time when Stripe begins to collect a draft, Unix seconds; Infinity if it can't. Else undefined. */
  collectedAt: number | undefined;
  /** Stripe's page of the invoice, where everyone with the address can pay it. */
  url: string | undefined;
  /** Beginning of the billed period, Unix seconds. */
  periodStart: number;
}

/**
 * The payment that a subscription waits for, by Stripe's status, `pause_collection`, way of collecting and
 * invoices. In Stripe's words:
 *
 * - `incomplete`: the buyer has yet to pay.
 * - `processing`: active, and the bank is processing the first payment, which Stripe can't void or refund.
 * - `never-paid`: active although the first payment failed, as with a delayed payment method
 *   (https://docs.stripe.com/billing/subscriptions/overview).
 * - `active`: the current period is paid.
 * - `renewing`: the period has moved on and its payment is on the way. The renewal's invoice is a draft, as
 *   for about an hour after each renewal, or not tried yet, or the bank is processing the payment.
 * - `invoiced`: active or past due, and Stripe mails the invoices. Support has arranged and collects it.
 * - `uncollected`: support has paused the payments. The subscription goes on and nothing is charged.
 * - `past-due`: the payment of a renewal was tried and failed.
 * - `given-up`: past due after `triesEndAt`. Stripe would charge the next period all the same.
 * - `unpaid`: Stripe has given up and waits for someone who pays the invoice.
 * - `paused`: only support resumes it.
 * - `expired`: `incomplete_expired`. Never paid; Stripe itself voids the invoice.
 * - `canceled`.
 * - `unknown`: in a status that Stripe adds later.
 */
export type SubscriptionState =
  | {
      kind:
        | 'incomplete'
        | 'processing'
        | 'never-paid'
        | 'active'
        | 'renewing'
        | 'invoiced'
        | 'uncollected'
        | 'unpaid'
        | 'paused'
        | 'expired'
        | 'unknown';
    }
  | {
      kind: 'past-due';
      /** Time of Stripe's next try, Unix seconds; undefined if there is none. */
      nextTryAt?: number | undefined;
      /** The end of the plan unless the payment arrives, Unix seconds; undefined while Stripe tries again. */
      triesEndAt?: number | undefined;
    }
  | { kind: 'given-up'; triesEndAt: number }
  | { kind: 'canceled'; firstPayment: FirstPayment };

export type FirstPayment = 'paid' | 'processing' | 'failed';

/** The parts of a Stripe subscription that decide a plan. Always a subscription of ours: see `mark.ts`. */
export interface Subscription {
  id: string;
  customerId: string;
  /** The plan that its price gives. */
  plan: PaidPlan;
  /** The user that the subscription was bought for; undefined if support made it in Stripe. */
  userId: string | undefined;
  state: SubscriptionState;
  /** Unix seconds. */
  createdAt: number;
  /** The agreement of the buyer, made at `createdAt`. Undefined if the site didn't sell the subscription. */
  agreement: Agreement | undefined;
  /** End of the paid period, Unix seconds. */
  currentPeriodEnd: number;
  /** End set by `cancel_at` or `cancel_at_period_end`, Unix seconds; undefined while it renews. */
  endsAt: number | undefined;
  /** Whether `endsAt` is set by the flag `cancel_at_period_end`, as by our own cancellation. */
  cancelsAtPeriodEnd: boolean;
  /** Time of the definitive end, Unix seconds. */
  endedAt: number | undefined;
  /** A renewal's charge by its items' prices, without discounts. Undefined if one has no fixed amount. */
  amount: number | undefined;
  /** Three lower-case letters, as in Stripe. */
  currency: string;
  /** Stripe's word, such as `month`. Undefined if a renewal comes after several of them. */
  interval: string | undefined;
  latestInvoice: SubscriptionInvoice | undefined;
  /** The invoice that waits for its payment: the latest, or an older one that is still open. */
  dueInvoice: SubscriptionInvoice | undefined;
  /** Undefined while the subscription runs, and if it ended as scheduled or someone else canceled it. */
  ended: EndReason | undefined;
  refund: RefundStatus | undefined;
  /** Whether the invoices that were open at the subscription's end have been voided. */
  invoicesVoided: boolean;
}

type State = Pick<Subscription, 'state'>;

const isIn =
  (...kinds: readonly SubscriptionState['kind'][]) =>
  ({ state }: State): boolean =>
    kinds.includes(state.kind);

const gives = isIn('active', 'renewing', 'invoiced', 'uncollected', 'past-due');

export const isEntitling = (subscription: Subscription) => gives(subscription) && !subscription.ended;

export const paymentsFailed = isIn('never-paid', 'given-up');

/** Whether it is to be canceled at Stripe: its end was begun, or its payments have failed. */
export const runsUnpaid = (subscription: Subscription): boolean =>
  paymentsFailed(subscription) || (wasEndedUnpaid(subscription) && !hasEnded(subscription));

// Seconds. A try that is a day late isn't coming.
export const LATE_TRY = 86_400;

/** Unix seconds. Stripe sends no event where support switches its tries off. Undefined if one will come. */
export const decidedAgainAt = ({ state }: State): number | undefined => {
  if (state.kind !== 'past-due') return undefined;
  return state.triesEndAt ?? (state.nextTryAt === undefined ? undefined : state.nextTryAt + LATE_TRY);
};

/** Whether Stripe will charge for the current period and hasn't yet. */
export const isPaymentDue = isIn('renewing', 'past-due', 'given-up');

/** Whether the subscription will be charged again, also if it has an end after the next renewal. */
export const renewsBeforeEnd = ({ endsAt, currentPeriodEnd }: Subscription): boolean =>
  endsAt === undefined || endsAt > currentPeriodEnd;

/** Whether Stripe is going to charge a renewal by itself. */
export const isCharged = (subscription: Subscription): boolean =>
  isEntitling(subscription) && charges(subscription) && renewsBeforeEnd(subscription);

const charges = isIn('active', 'renewing', 'past-due');

/** Whether the last renewal is a draft, whose credit Stripe's preview of the next one counts again. */
export const isDrafted = ({ latestInvoice }: Subscription) => latestInvoice?.collectedAt !== undefined;

export const hasEnded = isIn('expired', 'canceled');

export const isPaymentProcessing = ({ state, ended }: Subscription) => state.kind === 'processing' && !ended;

/** Whether the subscription gives no plan, but does once its invoice is paid. */
export const isPayable = (subscription: Subscription) => payable(subscription) && !subscription.ended;

const payable = isIn('incomplete', 'never-paid', 'given-up', 'unpaid', 'unknown');

/** Whether the contract gives no plan, but hasn't ended: it can be paid or resumed, and canceled. */
export const isOpenContract = (subscription: Subscription) => open(subscription) && !subscription.ended;

const open = isIn('given-up', 'unpaid', 'paused');

/** Whether it has ended with a draft that Stripe may still collect, or an open invoice that can be paid. */
export const mayHaveOpenInvoices = ({ state, invoicesVoided }: Subscription): boolean =>
  state.kind === 'canceled' && !invoicesVoided;

/** The subscription that was bought last, of those that `isMeant` accepts. */
export const newestOf = (subscriptions: readonly Subscription[], isMeant: (each: Subscription) => boolean) =>
  subscriptions.filter(isMeant).toSorted((a, b) => b.createdAt - a.createdAt)[0];

/** Whether its first payment gave a plan: a duplicate's is refunded. */
export const wasPaid = ({ state, ended }: Subscription): boolean =>
  ended !== 'duplicate' && firstPaymentOf(state) === 'paid';

/** Whether the first payment failed after Stripe had called the subscription active. */
export const hasFailedLate = ({ state }: State): boolean =>
  state.kind !== 'expired' && firstPaymentOf(state) === 'failed';

/** An incomplete subscription may have a payment that the bank is processing. */
export function firstPaymentOf(state: SubscriptionState): FirstPayment {
  if (state.kind === 'canceled') return state.firstPayment;
  if (state.kind === 'never-paid' || state.kind === 'expired') return 'failed';
  return state.kind === 'processing' || state.kind === 'incomplete' ? 'processing' : 'paid';
}

/** An amount in the smallest unit of its currency. */
export interface Money {
  amount: number;
  currency: string;
}
