import type Stripe from 'stripe';
import type { DuplicateStatus } from '../../domain/subscription.ts';
import { attemptAll } from '../../runtime/attempt-all.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { refundInvoice, refundPeriod } from './refund-invoice.ts';
import { unlessEnded, unlessRefused } from './refusals.ts';
import { CANCELLED_UNPAID, SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';
import { voidOpenInvoices } from './void-invoices.ts';

type Endings = Pick<
  Billing,
  'cancelNow' | 'cancelUnpaid' | 'refundAndCancel' | 'voidInvoices' | 'refundSince'
>;

const expand = [SUBSCRIPTION_EXPANSION];

/** What ends at once, and what is given back. */
export const endings = (connection: () => Promise<Connection>): Endings => ({
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

  async refundAndCancel(subscription) {
    const { stripe } = await connection();
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
  },

  async voidInvoices(subscription) {
    const { stripe } = await connection();
    await voidOpenInvoices(stripe, subscription);
    // The mark spares a call to later readers. Stripe's reference doesn't say for every ended subscription
    // that its metadata may be changed.
    await unlessRefused(() => stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } }));
    return { ...subscription, invoicesVoided: true };
  },

  async refundSince(customer, since) {
    const { stripe } = await connection();
    const { data } = await stripe.invoices.list({ customer, status: 'paid', limit: 100 });
    const seconds = since.getTime() / 1000;
    for (const { id, status_transitions } of data) {
      if ((status_transitions.paid_at ?? 0) > seconds) await refundInvoice(stripe, id);
    }
  },
});

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
