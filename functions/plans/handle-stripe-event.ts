import type { StripeEventSubject } from '../domain/stripe-event-subject.ts';
import { log } from '../runtime/log.ts';
import type { OrphanedBillingDependencies } from './end-orphaned-billing.ts';
import { leaveTask } from './leave-task.ts';
import { reconcile } from './reconcile.ts';

export type StripeEventDependencies = OrphanedBillingDependencies;

/**
 * Reconciles the user that a Stripe event is about. Does nothing for a customer that isn't ours. Once per
 * renewal, it also checks that the user still exists. A missing user is looked for again an hour later before
 * anything ends: the user pool's list lags behind its users.
 */
export async function handleStripeEvent(
  dependencies: StripeEventDependencies,
  { type, customerId, userId: metadataUserId, renewalUpcoming, refundFailed }: StripeEventSubject,
  now: Date,
): Promise<void> {
  // A subscription bought for one user can be billed to another user's customer. At a renewal the customer's
  // user counts.
  const owner =
    renewalUpcoming || !metadataUserId ? await dependencies.billing.userIdOf(customerId) : undefined;
  const userId = owner ?? metadataUserId;
  if (!userId) return;
  if (refundFailed) log.error('refund-failed', { user: userId, customer: customerId });
  if (renewalUpcoming) {
    try {
      await lookForUser(dependencies, { userId, customerId }, now);
    } catch (error) {
      await leaveTask(dependencies, { work: 'look', customer_id: customerId, user_id: userId }, error, now);
    }
  }
  await reconcile(dependencies, userId, now, { trigger: type });
}

/** Looks for a user. If there is none, leaves a second look to the schedule. */
export async function lookForUser(
  dependencies: OrphanedBillingDependencies,
  { userId, customerId }: { userId: string; customerId: string },
  now: Date,
): Promise<void> {
  if (await dependencies.userPool.has(userId)) return;
  const task = { work: 'look-again', customer_id: customerId, user_id: userId } as const;
  await leaveTask(dependencies, task, new Error('The user is not in the user pool.'), now);
}
