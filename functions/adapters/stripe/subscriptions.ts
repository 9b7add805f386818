import type Stripe from 'stripe';
import { type DuplicateStatus, hasEnded, type Subscription } from '../../domain/subscription.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { refundPeriod } from './refund-period.ts';
import { unlessEnded, unlessMissing } from './refusals.ts';
import { toSubscription } from './to-subscription.ts';
import { voidOpenInvoices } from './void-invoices.ts';

type Subscriptions = Pick<
  Billing,
  | 'subscriptionsOf'
  | 'cancelAtPeriodEnd'
  | 'cancelNow'
  | 'cancelUnpaid'
  | 'undoCancellation'
  | 'refundAndCancel'
  | 'voidInvoices'
>;

// A user has one subscription at a time. The limit bounds the loop against misuse.
const MAXIMUM_SUBSCRIPTIONS = 1_000;

export const subscriptions = (connection: () => Promise<Connection>): Subscriptions => ({
  async subscriptionsOf(customerId) {
    const { stripe } = await connection();
    const list = await unlessMissing(() =>
      stripe.subscriptions
        .list({ customer: customerId, status: 'all', limit: 100 })
        .autoPagingToArray({ limit: MAXIMUM_SUBSCRIPTIONS }),
    );
    return (list ?? []).map(toSubscription);
  },

  async cancelAtPeriodEnd(subscriptionId) {
    const { stripe } = await connection();
    const cancelled = await unlessEnded(stripe, subscriptionId, () =>
      stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
    );
    return toSubscription(cancelled);
  },

  async cancelNow(subscriptionId) {
    const { stripe } = await connection();
    const cancelled = await cancelOrRead(stripe, subscriptionId);
    await voidOpenInvoices(stripe, toSubscription(cancelled));
  },

  async cancelUnpaid(subscription) {
    const { stripe } = await connection();
    // Cancelled first: a payment after that comes after its end, and `voidInvoices` refunds it.
    const cancelled = await cancelOrRead(stripe, subscription.id);
    await refundPeriod(stripe, subscription, 'late');
    return toSubscription(cancelled);
  },

  async undoCancellation(subscription) {
    const { stripe } = await connection();
    const undo = async ({ id, cancelsAtPeriodEnd }: Subscription): Promise<Subscription> =>
      toSubscription(
        await unlessEnded(stripe, id, () =>
          // Stripe takes only one of the two in a request. Its portal sets a date, our own cancellation the
          // flag.
          stripe.subscriptions.update(
            id,
            cancelsAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
          ),
        ),
      );
    const undone = await undo(subscription);
    // Still to be cancelled: since it was read, it was cancelled in the other way.
    return undone.endsAt === undefined || hasEnded(undone) ? undone : undo(undone);
  },

  async refundAndCancel(subscription) {
    const { stripe } = await connection();
    const mark = async (surplus: DuplicateStatus): Promise<Subscription> =>
      toSubscription(await stripe.subscriptions.update(subscription.id, { metadata: { surplus } }));
    // Marked before anything else, so that a retry after a crash makes the same decision.
    if (!subscription.duplicate) await mark('found');
    const refunded = await refundPeriod(stripe, subscription, 'surplus');
    await unlessMissing(() => stripe.subscriptions.cancel(subscription.id));
    return mark(refunded ? 'refunded' : 'nothing-taken');
  },

  async voidInvoices(subscription) {
    const { stripe } = await connection();
    await voidOpenInvoices(stripe, subscription);
    return toSubscription(
      await stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } }),
    );
  },
});

/** Cancelling an ended subscription is refused as `resource_missing`. */
const cancelOrRead = async (stripe: Stripe, id: string): Promise<Stripe.Subscription> =>
  (await unlessMissing(() => stripe.subscriptions.cancel(id))) ?? (await stripe.subscriptions.retrieve(id));
