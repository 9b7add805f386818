import type Stripe from 'stripe';
import { isOurs } from '../../domain/mark.ts';
import { hasEnded, type Subscription } from '../../domain/subscription.ts';
import type { PaymentMethod } from '../../../schemas/shapes/billing.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { Connection } from './connection.ts';
import { chargedMethodOf, PAYMENT_METHOD_EXPANSIONS } from './charged-method.ts';
import { unlessCustomerGone, unlessEnded } from './refusals.ts';
import {
  expand,
  isOwn,
  isPaidByEarlier,
  isRowBasedOn,
  mayHaveOlderDue,
  PAGE,
  toSubscription,
} from './to-subscription.ts';
import { stopOlderInvoices } from './void-invoices.ts';

// A user has one subscription at a time. The limit bounds the loop against misuse.
const MAXIMUM_SUBSCRIPTIONS = 1_000;

export const subscriptions = (connection: () => Promise<Connection>, stage: string) => ({
  /** All subscriptions of ours, ended ones included; none if the customer doesn't exist. */
  async subscriptionsOf(customerId: string, row: UserPlan): Promise<Subscription[]> {
    const { stripe } = await connection();
    const list = await unlessCustomerGone(stripe, customerId, () =>
      stripe.subscriptions
        .list({ customer: customerId, status: 'all', ...PAGE })
        .autoPagingToArray({ limit: MAXIMUM_SUBSCRIPTIONS }),
    );
    return Promise.all(
      (list ?? [])
        .filter((subscription) => isOwn(subscription, stage))
        .map(async (subscription) => {
          const { id } = subscription;
          const older = mayHaveOlderDue(subscription) ? await newestInvoice(stripe, id, 'open') : undefined;
          const read = toSubscription(subscription, stage, older);
          // A plan is based only on subscriptions that were paid, so the row is proof enough.
          const isProved = isRowBasedOn(row, subscription) || !isPaidByEarlier(subscription);
          return isProved || (await newestInvoice(stripe, id, 'paid'))
            ? read
            : { ...read, state: { kind: 'never-paid' } };
        }),
    );
  },

  /** All marked subscriptions that haven't ended, newest first; with `after`, those after that one. */
  async *running(after?: string): AsyncIterable<Subscription> {
    const { stripe } = await connection();
    // Stripe's default status leaves out ended subscriptions.
    const list = stripe.subscriptions.list({
      ...PAGE,
      ...(after !== undefined && { starting_after: after }),
    });
    for await (const subscription of list) {
      if (isOurs(subscription.metadata, stage)) yield toSubscription(subscription, stage);
    }
  },

  /** The means of payment of the next charge. Undefined if there is none. */
  async paymentMethodOf({ id }: Subscription): Promise<PaymentMethod | undefined> {
    const { stripe } = await connection();
    return chargedMethodOf(await stripe.subscriptions.retrieve(id, { expand: PAYMENT_METHOD_EXPANSIONS }));
  },

  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  async cancelAtPeriodEnd({ id, latestInvoice }: Subscription) {
    const { stripe } = await connection();
    await stopOlderInvoices(stripe, id, latestInvoice?.id);
    const cancelled = await unlessEnded(stripe, id, () =>
      stripe.subscriptions.update(id, { cancel_at_period_end: true, expand }),
    );
    return toSubscription(cancelled, stage);
  },

  /** Resolves with the updated subscription. An ended subscription isn't changed. */
  async undoCancellation(subscription: Subscription) {
    const { stripe } = await connection();
    const undo = async ({ id, cancelsAtPeriodEnd }: Subscription): Promise<Subscription> => {
      // Stripe accepts one of the two. Its portal sets a date, our own cancellation the flag.
      const change = cancelsAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const };
      const undone = await unlessEnded(stripe, id, () =>
        stripe.subscriptions.update(id, { ...change, expand }),
      );
      return toSubscription(undone, stage);
    };
    const undone = await undo(subscription);
    // A cancellation of the other kind, made since the subscription was read, still has to be undone.
    return undone.endsAt === undefined || hasEnded(undone) ? undone : undo(undone);
  },
});

const newestInvoice = async (stripe: Stripe, subscription: string, status: 'open' | 'paid') =>
  (await stripe.invoices.list({ subscription, status, limit: 1 })).data[0];
