import type Stripe from 'stripe';
import { type DuplicateStatus, hasEnded, type Subscription } from '../../domain/subscription.ts';
import { attemptAll } from '../../runtime/attempt-all.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { refundPeriod } from './refund-invoice.ts';
import { unlessCustomerGone, unlessEnded, unlessRefused } from './refusals.ts';
import { CANCELLED_UNPAID, SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';
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

const expand = [SUBSCRIPTION_EXPANSION];

export const subscriptions = (connection: () => Promise<Connection>): Subscriptions => ({
  async subscriptionsOf(customerId) {
    const { stripe } = await connection();
    const list = await unlessCustomerGone(stripe, customerId, () =>
      stripe.subscriptions
        .list({
          customer: customerId,
          status: 'all',
          limit: 100,
          expand: [`data.${SUBSCRIPTION_EXPANSION}`],
        })
        .autoPagingToArray({ limit: MAXIMUM_SUBSCRIPTIONS }),
    );
    return (list ?? []).map(toSubscription);
  },

  async cancelAtPeriodEnd(subscriptionId) {
    const { stripe } = await connection();
    const cancelled = await unlessEnded(
      () => stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true, expand }),
      () => stripe.subscriptions.retrieve(subscriptionId, { expand }),
    );
    return toSubscription(cancelled);
  },

  async cancelNow(subscriptionId) {
    const { stripe } = await connection();
    const cancelled = toSubscription(await cancelOrRead(stripe, subscriptionId));
    await voidOpenInvoices(stripe, cancelled);
  },

  async cancelUnpaid({ id }) {
    const { stripe } = await connection();
    return toSubscription(
      await cancelOrRead(stripe, id, { cancellation_details: { comment: CANCELLED_UNPAID } }),
    );
  },

  async undoCancellation(subscription) {
    const { stripe } = await connection();
    const undo = async ({ id, cancelsAtPeriodEnd }: Subscription): Promise<Subscription> =>
      toSubscription(
        await unlessEnded(
          () =>
            // Stripe takes only one of the two in a request. Its portal sets a date, our own cancellation the
            // flag.
            stripe.subscriptions.update(id, {
              ...(cancelsAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' }),
              expand,
            }),
          () => stripe.subscriptions.retrieve(id, { expand }),
        ),
      );
    const undone = await undo(subscription);
    // Still to be cancelled: since it was read, it was cancelled in the other way.
    return undone.endsAt === undefined || hasEnded(undone) ? undone : undo(undone);
  },

  async refundAndCancel(subscription) {
    const { stripe } = await connection();
    return refundAndCancel(stripe, subscription);
  },

  async voidInvoices(subscription) {
    const { stripe } = await connection();
    await voidOpenInvoices(stripe, subscription);
    // The mark spares a call to later readers. Stripe's reference doesn't say for every ended subscription
    // that its metadata may be changed.
    await unlessRefused(() => stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } }));
    return { ...subscription, invoicesVoided: true };
  },
});

async function refundAndCancel(stripe: Stripe, subscription: Subscription): Promise<Subscription> {
  const { id } = subscription;
  // Marked before anything else, so that a retry after a crash makes the same decision. The refund doesn't
  // wait for the mark: a deleted account's subscription is ended next, and is not found again without one.
  let marked = subscription.duplicate !== undefined;
  await attemptAll([
    async () => {
      marked ||= await mark(stripe, id, 'found');
    },
  ]);
  let refunded = false;
  const failures = await attemptAll([
    async () => {
      refunded = await refundPeriod(stripe, subscription);
    },
  ]);
  // Without a mark, only a running subscription is found again, and its refund tried again.
  if (failures.length > 0 && !marked) throw failures[0];
  const cancelled = toSubscription(await cancelOrRead(stripe, id));
  if (failures.length > 0) throw failures[0];
  const duplicate = refunded ? 'refunded' : 'nothing-taken';
  await mark(stripe, id, duplicate);
  return { ...cancelled, duplicate };
}

/** Cancelling an ended subscription is refused as `resource_missing`. */
const cancelOrRead = (
  stripe: Stripe,
  id: string,
  details?: Stripe.SubscriptionCancelParams,
): Promise<Stripe.Subscription> =>
  unlessEnded(
    () => stripe.subscriptions.cancel(id, { ...details, expand }),
    () => stripe.subscriptions.retrieve(id, { expand }),
  );

/** Writes what was done about a duplicate. Resolves with false if Stripe refuses it. */
const mark = (stripe: Stripe, id: string, surplus: DuplicateStatus): Promise<boolean> =>
  unlessRefused(() => stripe.subscriptions.update(id, { metadata: { surplus } }));
