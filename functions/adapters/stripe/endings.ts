import type Stripe from 'stripe';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { markOf } from '../../domain/mark.ts';
import {
  type EndReason,
  paymentsFailed,
  type RefundStatus,
  type Subscription,
} from '../../domain/subscription.ts';
import { attemptAll } from '../../runtime/attempt-all.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import { refundInvoice, refundPeriods } from './refund-invoice.ts';
import { unlessCustomerGone, unlessEnded, unlessMissing, unlessRefused } from './refusals.ts';
import { expand, isOwn, toSubscription } from './to-subscription.ts';
import { voidOpenInvoices } from './void-invoices.ts';

/** The calls that end a subscription at once, and refund. */
export const endings = (connection: () => Promise<Connection>, stage: string) => ({
  /** Cancels at once, without a refund, and voids its open invoices. For a customer who is deleted next. */
  async cancelNow(subscription: Subscription) {
    const { stripe } = await connection();
    const cancelled = toSubscription(await cancelOrRead(stripe, subscription.id), stage);
    await voidOpenInvoices(stripe, cancelled, markOf(stage, subscription.userId));
  },

  /**
   * Marks a subscription whose payment is due as ended, and cancels it at once. `voidInvoices` then refunds
   * what Stripe has charged since it was read. Safe to repeat. Resolves with the updated subscription.
   */
  async cancelUnpaid(subscription: Subscription) {
    const { id, ended, state } = subscription;
    const { stripe } = await connection();
    // The last period of a paused subscription was paid, and stays so.
    if (!ended && state.kind !== 'paused')
      await mark(stripe, id, endedNow(paymentsFailed(subscription) ? 'unpaid' : 'declined'));
    return toSubscription(await cancelOrRead(stripe, id), stage);
  },

  /** Marks a subscription as withdrawn, for `refundAndCancel`. Resolves with the updated subscription. */
  async markWithdrawn(subscription: Subscription): Promise<Subscription> {
    const { stripe } = await connection();
    const metadata = { ended: 'withdrawn', refund: 'due' } as const satisfies Marks;
    // A refusal fails the withdrawal: without the mark, nothing would find the subscription again.
    await stripe.subscriptions.update(subscription.id, { metadata });
    return { ...subscription, ...metadata };
  },

  /**
   * Refunds a duplicate's periods that end after `since`, and its current one, and cancels it at once even if
   * the refund fails. `since`: the purchase of the subscription that stays, if one does. Safe to repeat.
   */
  async refundAndCancel(subscription: Subscription, since: number | undefined): Promise<Subscription> {
    const { stripe } = await connection();
    const { id } = subscription;
    // Marked first, so that a retry after a crash makes the same decision. The refund doesn't wait for the
    // mark: a deleted account's subscription ends next, and wouldn't be found again.
    const ended = subscription.ended ?? 'duplicate';
    let marked = subscription.refund !== undefined;
    await attemptAll([async () => (marked ||= await mark(stripe, id, { ended, refund: 'due' }))]);
    let refunded = false;
    const failures = await attemptAll([
      async () => {
        refunded = await refundPeriods(stripe, subscription, since, markOf(stage, subscription.userId));
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

  /** Voids an ended subscription's open invoices, refunds later payments, and marks it as settled. */
  async voidInvoices(subscription: Subscription): Promise<Subscription> {
    const { stripe } = await connection();
    const refunded = await voidOpenInvoices(stripe, subscription, markOf(stage, subscription.userId));
    const { refund = refunded ? ('done' as const) : undefined } = subscription;
    // Saves later readers a call. Stripe doesn't promise that every ended subscription's metadata can change.
    const metadata = { closed: 'yes', ...(refund && { refund }) };
    await unlessRefused(() => stripe.subscriptions.update(subscription.id, { metadata }));
    return { ...subscription, invoicesVoided: true, refund };
  },

  /** Refunds payments for ours since the second of `since`, also of a deleted customer. Safe to repeat. */
  async refundSince(customerId: string, row: UserPlan, since: Date) {
    const { stripe } = await connection();
    for (const invoice of await paidSince(stripe, customerId, since)) {
      if (!(await billsOwn(stripe, invoice, stage))) continue;
      await refundInvoice(stripe, invoice.id, markOf(stage, row.id));
    }
  },
});

async function paidSince(stripe: Stripe, customer: string, since: Date): Promise<Stripe.Invoice[]> {
  const paid = await unlessCustomerGone(stripe, customer, () =>
    stripe.invoices.list({ customer, status: 'paid', limit: 100 }),
  );
  // Stripe counts in whole seconds, and so does this.
  const seconds = Math.floor(since.getTime() / 1000);
  return (paid?.data ?? []).filter((invoice) => (invoice.status_transitions.paid_at ?? 0) >= seconds);
}

/** An invoice that bills no subscription of ours belongs to another product. */
async function billsOwn(stripe: Stripe, { parent }: Stripe.Invoice, stage: string): Promise<boolean> {
  const billed = parent?.subscription_details?.subscription;
  const subscription = billed && (await unlessMissing(() => stripe.subscriptions.retrieve(idOf(billed))));
  return subscription ? isOwn(subscription, stage) : false;
}

/** Cancelling an ended subscription is refused as `resource_missing`. */
const cancelOrRead = (stripe: Stripe, id: string): Promise<Stripe.Subscription> =>
  unlessEnded(stripe, id, () => stripe.subscriptions.cancel(id, { expand }));

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
