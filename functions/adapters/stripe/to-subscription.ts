import type Stripe from 'stripe';
import type { DuplicateStatus, Subscription } from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

const duplicateStatuses = [
  'found',
  'refunded',
  'nothing-taken',
] as const satisfies readonly DuplicateStatus[];

/**
 * Reads our metadata too: `user_id`, `surplus` (what was done about a duplicate) and `closed` (`yes` once its
 * invoices are voided).
 */
export function toSubscription(subscription: Stripe.Subscription): Subscription {
  const { metadata } = subscription;
  // Stripe keeps the period on the items. A subscription of ours has one item.
  const currentPeriodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    userId: metadata['user_id'],
    status: subscription.status,
    createdAt: subscription.created,
    currentPeriodEnd,
    endsAt: subscription.cancel_at ?? (subscription.cancel_at_period_end ? currentPeriodEnd : undefined),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: subscription.ended_at ?? undefined,
    duplicate: duplicateStatuses.find((status) => status === metadata['surplus']),
    invoicesVoided: metadata['closed'] === 'yes',
  };
}
