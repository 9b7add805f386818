/** Sent some days before each renewal; Stripe's settings say how many, by default seven. */
export const RENEWAL_UPCOMING = 'invoice.upcoming';
export const REFUND_FAILED = 'refund.failed';

/**
 * The event types that can change a plan, or that leave something to do. `customer.subscription.*` cover
 * every change of a subscription. The checkout and invoice types may arrive earlier, `invoice.upcoming` is
 * where users who have left are found, and `refund.failed` is about money that a payer should have. At most
 * twenty: Stripe's event list takes no more.
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
  'invoice.paid',
  'invoice.payment_failed',
  RENEWAL_UPCOMING,
  REFUND_FAILED,
]);
