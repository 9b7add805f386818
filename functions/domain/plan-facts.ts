import * as z from 'zod/mini';
import { soldTo } from '../../schemas/product/product.ts';
import { Notified, type Payment, type Refund } from '../../schemas/rows/notified.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import type { PlanDecision } from './decide-plan.ts';
import { standingAfter, type StandingFacts } from './standing.ts';
import {
  type EndReason,
  newestOf,
  type Subscription,
  type SubscriptionInvoice,
  wasEndedUnpaid,
  wasPaid,
} from './subscription.ts';

/** The facts that mails about a plan name: the standing, and what was paid and returned. */
export interface PlanFacts {
  standing: Standing;
  /** The newest payment. */
  paid?: Payment | undefined;
  /** The newest payments that were returned. */
  refunded?: Refund | undefined;
  /** Why the newest paid subscription ended, if we ended it. */
  ended?: EndReason | undefined;
}

/** Facts that only Stripe knows, each if Stripe was asked. */
export interface AskedFacts extends StandingFacts {
  /** The invoice of the subscription that was paid last, which needn't be its latest. */
  lastPaid?: SubscriptionInvoice | undefined;
}

// Seconds.
const DAY = 86_400;
/** Reminders of what a plan costs, in a year. */
const REMINDERS = soldTo.has('uk') ? 2 : 1;

export function planFacts(
  row: UserPlan,
  decision: Pick<PlanDecision, 'fields' | 'subscription'>,
  subscriptions: readonly Subscription[],
  now: Date,
  { lastPaid, ...asked }: AskedFacts = {},
): PlanFacts {
  const standing = standingAfter(row, decision, subscriptions, now, asked);
  const newest = newestOf(subscriptions, wasPaid);
  // A payment that the user had declined is returned.
  const payer = decision.subscription ?? (newest && !wasEndedUnpaid(newest) ? newest : undefined);
  return {
    standing,
    paid: payer && paymentIn(payer, decision.subscription && lastPaid),
    refunded: newestRefund(subscriptions, row.id),
    ended: newest?.ended ?? (standing.kind === 'unpaid' ? 'unpaid' : undefined),
  };
}

function paymentIn(subscription: Subscription, lastPaid: SubscriptionInvoice | undefined) {
  const { plan, latestInvoice, createdAt, currency } = subscription;
  const invoice = (lastPaid?.paidAt ?? 0) > (latestInvoice?.paidAt ?? 0) ? lastPaid : latestInvoice;
  if (invoice?.paidAt === undefined) return undefined;
  const { paidAt: at, amount, url, isFirst, periodStart } = invoice;
  // Nothing was charged: a voucher or credit has paid the renewal.
  if (amount === 0 && !isFirst) return undefined;
  // A second more or less between purchase and period makes no other year.
  const days = Math.round((periodStart - createdAt) / DAY);
  const years = Math.max(0, Math.floor((days / 365) * REMINDERS) / REMINDERS);
  return { plan, at, amount, currency, url, isFirst, years };
}

/** A withdrawal has a mail of its own, which tells of its refund. */
function newestRefund(subscriptions: readonly Subscription[], userId: string): Refund | undefined {
  return subscriptions
    .filter((each) => each.refund === 'done' && each.ended !== 'withdrawn' && each.userId === userId)
    .map(({ ended, createdAt, endedAt = createdAt, currency, latestInvoice: invoice }): Refund => {
      const isDuplicate = ended === 'duplicate';
      // The amount is known where the duplicate was paid once.
      const isAll = invoice?.paidAt !== undefined && (invoice.isFirst || !isDuplicate);
      return {
        at: isDuplicate ? createdAt : endedAt,
        because: isDuplicate ? 'duplicate' : 'late',
        ...(isAll && { amount: invoice.amount }),
        currency,
      };
    })
    .toSorted((a, b) => b.at - a.at)[0];
}

/** The last mail to a user, and the same instead if mails whose sending was cut off have arrived. */
export function notifiedIn({
  billing_notified: notified,
  billing_maybe_notified: maybe,
}: Pick<UserPlan, 'billing_notified' | 'billing_maybe_notified'>) {
  return {
    notified: notified === undefined ? nothing : Notified.parse(JSON.parse(notified)),
    maybeNotified: maybe === undefined ? [] : z.array(Notified).parse(JSON.parse(maybe)),
  };
}

const nothing: Notified = { standing: { kind: 'free', endedAt: null } };
