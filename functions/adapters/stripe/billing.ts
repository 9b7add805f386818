import type { Offer } from '../../../schemas/product/offers.ts';
import type { PaymentMethod, PortalPage } from '../../../schemas/shapes/billing.ts';
import type { SessionStatus } from '../../../schemas/shapes/checkout.ts';
import type { Invoice } from '../../../schemas/shapes/invoice.ts';
import type { Agreement } from '../../domain/agreement.ts';
import type { Owner } from '../../domain/mark.ts';
import type { Money, Subscription, SubscriptionInvoice } from '../../domain/subscription.ts';
import type { FailureCause } from '../../../schemas/shapes/standing.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';

/** A Checkout Session. */
export interface Checkout {
  id: string;
  /** Stripe's status: open, complete, expired, or one that Stripe adds later. */
  status: string | null;
  customerId: string | undefined;
  /** Present while the session is open. */
  clientSecret: string | undefined;
  /** Unix seconds. */
  expiresAt: number;
  /** Whether Stripe computes taxes for the session and its subscription. */
  automaticTax: boolean;
  /** The buyer's agreement once the session is paid. Undefined for a session from before. */
  agreement: Agreement | undefined;
  /** The total and the taxes in it. */
  price: SessionStatus['price'];
  /** Stripe's page of the first invoice. Undefined before the payment. */
  receiptUrl: string | undefined;
  email: string | undefined;
  subscription: Subscription | undefined;
}

/**
 * Our objects at Stripe: those with the mark of this stage, and subscriptions that support made with a marked
 * price (`domain/mark.ts`). The account may have other products and stages, even on a customer of ours: a
 * `Subscription` is always ours, and every call that ends, refunds or changes one takes it. `row`: the row of
 * the customer's user. All times are Unix seconds.
 */
export interface Billing {
  /** The stage whose mark is on our objects. */
  readonly stage: string;
  createCustomer(user: { userId: string; email: string }): Promise<string>;
  /**
   * Deletes the customer of the row's user, which cancels its subscriptions and removes its cards. Leaves a
   * customer that isn't the user's. With a running subscription of another product, it stays but loses its
   * mark. Resolves with whether the customer is gone.
   */
  deleteCustomer(customerId: string, row: UserPlan): Promise<boolean>;
  /** Does nothing if the customer doesn't exist. */
  setCustomerEmail(customerId: string, email: string): Promise<void>;
  /** The owner of the customer, by its metadata. Undefined if the customer doesn't exist. */
  ownerOf(customerId: string): Promise<Owner | undefined>;
  /**
   * The address of a page of Stripe's portal, which returns to `done` after a change, and to `back`
   * otherwise. Undefined if the customer has no active subscription, or doesn't exist.
   */
  portalUrl(
    customerId: string,
    visit: { page: PortalPage; back: string; done: string },
  ): Promise<string | undefined>;

  /** All subscriptions of ours, ended ones included; none if the customer doesn't exist. */
  subscriptionsOf(customerId: string, row: UserPlan): Promise<Subscription[]>;
  /** All marked subscriptions that haven't ended, newest first; with `after`, those after that one. */
  running(after?: string): AsyncIterable<Subscription>;
  /** The next charge, with discounts, credit, added items and taxes. Undefined: none, or Stripe can't say. */
  nextChargeOf(subscription: Subscription): Promise<Money | undefined>;
  /** The last paid invoice, which needn't be the latest. Undefined if none was paid, or Stripe can't say. */
  lastPaidOf(subscription: Subscription): Promise<SubscriptionInvoice | undefined>;
  /** Why the last payment of an invoice failed. Undefined if Stripe can't say. */
  failureCauseOf(invoice: string): Promise<FailureCause | undefined>;
  /** The means of payment of the next charge. Undefined if there is none. */
  paymentMethodOf(subscription: Subscription): Promise<PaymentMethod | undefined>;
  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  cancelAtPeriodEnd(subscription: Subscription): Promise<Subscription>;
  /** Cancels at once, without a refund, and voids its open invoices. For a customer who is deleted next. */
  cancelNow(subscription: Subscription): Promise<void>;
  /**
   * Marks a subscription whose payment is due as ended, and cancels it at once. `voidInvoices` then refunds
   * what Stripe has charged since it was read. Safe to repeat. Resolves with the updated subscription.
   */
  cancelUnpaid(subscription: Subscription): Promise<Subscription>;
  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  undoCancellation(subscription: Subscription): Promise<Subscription>;
  /**
   * Refunds the periods of a duplicate that end after `since`, and its current period, and cancels it at once
   * even if the refund fails. `since`: the purchase of the subscription that stays, undefined if none does.
   * Safe to repeat. Resolves with the updated subscription.
   */
  refundAndCancel(subscription: Subscription, since: number | undefined): Promise<Subscription>;
  /** Marks a subscription as withdrawn, for `refundAndCancel`. Resolves with the updated subscription. */
  markWithdrawn(subscription: Subscription): Promise<Subscription>;
  /**
   * Voids the open invoices and drafts of an ended subscription, refunds payments made after the end, and
   * marks the subscription as settled. Resolves with the updated subscription.
   */
  voidInvoices(subscription: Subscription): Promise<Subscription>;
  /** Refunds payments for ours since the second of `since`, also of a deleted customer. Safe to repeat. */
  refundSince(customerId: string, row: UserPlan, since: Date): Promise<void>;
  /** Newest first, without drafts and drafts that were voided; none if the customer doesn't exist. */
  invoicesOf(customerId: string): Promise<Invoice[]>;

  /** Undefined without the customer. `other-currency`: support has charged it in another currency. */
  createSession(order: {
    offer: Offer;
    customerId: string;
    userId: string;
    /** With the placeholder `{CHECKOUT_SESSION_ID}`. */
    returnUrl: string;
    /** Whether Stripe computes the taxes that the price includes. */
    automaticTax: boolean;
  }): Promise<Checkout | 'other-currency' | undefined>;
  /** Undefined if Stripe has no such session of ours. */
  checkout(id: string): Promise<Checkout | undefined>;
  /** Does nothing to a session that isn't open. */
  expireCheckout(id: string): Promise<void>;
  /** Expires all open sessions of ours for the customer, also those that no row names any more. */
  expireCheckoutsOf(customerId: string): Promise<void>;

  /** The event, if Stripe signed exactly these bytes within the last five minutes; undefined otherwise. */
  verifyEvent(body: Buffer, signature: string): Promise<unknown>;
  /** The events from `from` until before `to` in thirty days, newest first. `types`: at most twenty. */
  eventsBetween(from: number, to: number, types?: ReadonlySet<string>): AsyncIterable<unknown>;
}
