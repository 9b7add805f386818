import { hasEnded, type Subscription } from '../../domain/subscription.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { unlessCustomerGone, unlessEnded } from './refusals.ts';
import { SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';

type Subscriptions = Pick<Billing, 'subscriptionsOf' | 'cancelAtPeriodEnd' | 'undoCancellation'>;

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
});
