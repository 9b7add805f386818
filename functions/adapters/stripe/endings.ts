import type Stripe from 'stripe';
import { markOf } from '../../domain/mark.ts';
import { type EndReason, paymentsFailed, type RefundStatus } from '../../domain/subscription.ts';
import { attemptAll } from '../../runtime/attempt-all.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { refundInvoice, refundPeriods } from './refund-invoice.ts';
import { unlessCustomerGone, unlessEnded, unlessMissing, unlessRefused } from './refusals.ts';
import { isOwn, SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';
import { voidOpenInvoices } from './void-invoices.ts';

export type Endings = Pick<
  Billing,
  'cancelNow' | 'cancelUnpaid' | 'markWithdrawn' | 'refundAndCancel' | 'voidInvoices' | 'refundSince'
>;

const expand = [SUBSCRIPTION_EXPANSION];

/** The calls that end a subscription at once, and refund. */
export const endings = (connection: () => Promise<Connection>, stage: string): Endings => ({
  async cancelNow(subscription) {
    const { stripe } = await connection();
    const cancelled = toSubscription(await cancelOrRead(stripe, subscription.id), stage);
    await voidOpenInvoices(stripe, cancelled, markOf(stage, subscription.userId));
  },

  async cancelUnpaid(subscription) {
    const { id, ended, state } = subscription;
    const { stripe } = await connection();
    // The last period of a paused subscription was paid, and stays so.
    if (!ended && state.kind !== 'paused')
      await mark(stripe, id, endedNow(paymentsFailed(subscription) ? 'unpaid' : 'declined'));
    return toSubscription(await cancelOrRead(stripe, id), stage);
  },

  async markWithdrawn(subscription) {
    const { stripe } = await connection();
    const metadata = { ended: 'withdrawn', refund: 'due' } as const satisfies Marks;
    // A refusal fails the withdrawal: without the mark, nothing would find the subscription again.
    await stripe.subscriptions.update(subscription.id, { metadata });
    return { ...subscription, ...metadata };
  },

  async refundAndCancel(subscription, since) {
    const { stripe } = await connection();
    const { id } = subscription;
    // Marked before anything else, so that a retry after a crash makes the same decision. The refund doesn't
    // wait for the mark: the subscription of a deleted account ends next, and wouldn't be found again without
    // a mark.
    const ended = subscription.ended ?? 'duplicate';
    let marked = subscription.refund !== undefined;
    await attemptAll([
      async () => {
        marked ||= await mark(stripe, id, { ended, refund: 'due' });
      },
    ]);
    let refunded = false;
    const failures = await attemptAll([
      async () => {
        refunded = await refundPeriods(stripe, { subscription, since }, markOf(stage, subscription.userId));
      },
    ]);
    // Without a mark, only a running subscription is found again and refunded.
    if (failures.length > 0 && !marked) throw failures[0];
    const cancelled = toSubscription(await cancelOrRead(stripe, id), stage);
    if (failures.length > 0) throw failures[0];
    const refund = refunded ? 'done' : 'none';
    await mark(stripe, id, { ended, refund });
    return { ...cancelled, ended, refund };
  },

  async voidInvoices(subscription) {
    const { stripe } = await connection();
    const refunded = await voidOpenInvoices(stripe, subscription, markOf(stage, subscription.userId));
    const { refund = refunded ? ('done' as const) : undefined } = subscription;
    // Saves later readers a call. Stripe doesn't promise that every ended subscription's metadata can change.
    const metadata = { closed: 'yes', ...(refund && { refund }) };
    await unlessRefused(() => stripe.subscriptions.update(subscription.id, { metadata }));
    return { ...subscription, invoicesVoided: true, refund };
  },

  async refundSince(customer, row, since) {
    const { stripe } = await connection();
    const paid = await unlessCustomerGone(stripe, customer, () =>
      stripe.invoices.list({ customer, status: 'paid', limit: 100 }),
    );
    // Stripe counts in whole seconds, and so does this.
    const seconds = Math.floor(since.getTime() / 1000);
    for (const { id, status_transitions, parent } of paid?.data ?? []) {
      if ((status_transitions.paid_at ?? 0) < seconds) continue;
      const billed = parent?.subscription_details?.subscription;
      // An invoice that bills no subscription of ours belongs to another product.
      const subscription = billed && (await unlessMissing(() => stripe.subscriptions.retrieve(idOf(billed))));
      if (!subscription || !isOwn(subscription, stage)) continue;
      await refundInvoice(stripe, id, markOf(stage, row.id));
    }
  },
});

/** Cancelling an ended subscription is refused as `resource_missing`. */
const cancelOrRead = (stripe: Stripe, id: string): Promise<Stripe.Subscription> =>
  unlessEnded(
    stripe,
    () => stripe.subscriptions.cancel(id, { expand }),
    () => stripe.subscriptions.retrieve(id, { expand }),
  );

interface Marks {
  ended?: EndReason;
  /** Unix seconds. */
  ended_at?: number;
  refund?: RefundStatus;
}

const endedNow = (ended: EndReason): Marks => ({ ended, ended_at: Math.floor(Date.now() / 1000) });

/** Writes to the metadata. Resolves with false if Stripe refuses. */
const mark = (stripe: Stripe, id: string, marks: Marks): Promise<boolean> =>
  unlessRefused(() => stripe.subscriptions.update(id, { metadata: { ...marks } }));
