import type { Invoice } from '../../../schemas/invoice.ts';
import type { Subscription } from '../../domain/subscription.ts';

/** A Checkout Session. */
export interface Checkout {
  id: string;
  /** Stripe's status: open, complete, expired, or one that Stripe adds later. */
  status: string | null;
  customerId: string | undefined;
  /** Present while the session is open. */
  clientSecret: string | undefined;
  /** The total, in cents. */
  amount: number | undefined;
  email: string | undefined;
  subscription: Subscription | undefined;
}

/** Stripe. All times are Unix seconds, as Stripe writes them. */
export interface Billing {
  createCustomer(user: { userId: string; email: string }): Promise<string>;
  /**
   * Cancels the customer's subscriptions, removes the cards, and "prevents any further operations to be
   * performed (such as adding a new subscription)" (Stripe's reference). Does nothing if the customer doesn't
   * exist.
   */
  deleteCustomer(customerId: string): Promise<void>;
  /** Does nothing if the customer doesn't exist. */
  setCustomerEmail(customerId: string, email: string): Promise<void>;
  /** The user id in the customer's metadata. */
  userIdOf(customerId: string): Promise<string | undefined>;
  /**
   * The address of Stripe's page for entering a new card. It leads to the address `done` once a card was
   * taken, and to `back` otherwise. Later retries of failed payments use the new card. Undefined if the
   * customer has no active subscription to pay, or doesn't exist.
   */
  cardUpdateUrl(customerId: string, returnTo: { back: string; done: string }): Promise<string | undefined>;

  /** All subscriptions, ended ones included; none if the customer doesn't exist. */
  subscriptionsOf(customerId: string): Promise<Subscription[]>;
  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<Subscription>;
  /** Cancels at once, without a refund, and voids its open invoices. For a customer that is deleted next. */
  cancelNow(subscriptionId: string): Promise<void>;
  /**
   * Cancels a subscription at once whose payment is due, and leaves on it that it was so. `voidInvoices` then
   * refunds what Stripe took since it was read. Safe to repeat. Resolves with the updated subscription.
   */
  cancelUnpaid(subscription: Subscription): Promise<Subscription>;
  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  undoCancellation(subscription: Subscription): Promise<Subscription>;
  /**
   * Refunds a duplicate's current period, and cancels it at once even if the refund fails. Safe to repeat.
   * Resolves with the updated subscription.
   */
  refundAndCancel(subscription: Subscription): Promise<Subscription>;
  /**
   * Voids the open invoices and drafts of an ended subscription, refunds what was paid after its end, and
   * marks it as settled. Resolves with the updated subscription.
   */
  voidInvoices(subscription: Subscription): Promise<Subscription>;
  /** Refunds all that the customer has paid after `since`. Safe to repeat. */
  refundSince(customerId: string, since: Date): Promise<void>;
  /** Newest first, without drafts and what was voided as a draft; none if the customer doesn't exist. */
  invoicesOf(customerId: string): Promise<Invoice[]>;

  /** Opens an embedded checkout of Plus. Undefined if the customer doesn't exist. */
  openCheckout(order: {
    customerId: string;
    userId: string;
    /** With the placeholder `{CHECKOUT_SESSION_ID}`. */
    returnUrl: string;
  }): Promise<Checkout | undefined>;
  /** Undefined if Stripe knows no such session. */
  checkout(id: string): Promise<Checkout | undefined>;
  /** Does nothing to a session that isn't open. */
  expireCheckout(id: string): Promise<void>;

  /** The event, if Stripe signed exactly these bytes within the last five minutes; undefined otherwise. */
  verifyEvent(body: Buffer, signature: string): Promise<unknown>;
  /**
   * The events that Stripe created at or after `from` and before `to`, newest first. Stripe keeps events for
   * thirty days. `types`: at most twenty. @default `handledEventTypes`
   */
  eventsBetween(from: number, to: number, types?: ReadonlySet<string>): AsyncIterable<unknown>;
}
