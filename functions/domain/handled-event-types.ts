/** Stripe sends this type some days before each renewal: seven, unless Stripe's settings say otherwise. */
export const RENEWAL_UPCOMING = 'invoice.upcoming';

/** For an item that support adds to the next invoice. */
export const ITEM_ADDED = 'invoiceitem.created';

export const PAID = 'invoice.paid';

/** The event types about money that doesn't move until support helps, and what we log. */
export const stuckMoney = {
  'refund.failed': 'refund-failed',
  'invoice.finalization_failed': 'invoice-not-finalized',
} as const;
export type StuckMoney = (typeof stuckMoney)[keyof typeof stuckMoney] | 'invoices-mailed';

/**
 * The event types that can change a plan or call for other work. The checkout and invoice types may arrive
 * before those of the subscription; `invoice.upcoming` is the occasion to find users who have left and to
 * announce a higher charge. At most twenty: Stripe's event list takes no more.
 */
export const handledEventTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  PAID,
  'invoice.payment_failed',
  RENEWAL_UPCOMING,
  ITEM_ADDED,
  ...Object.keys(stuckMoney),
]);
