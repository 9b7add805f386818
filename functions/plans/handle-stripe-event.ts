import type { StripeEventSubject } from '../domain/stripe-event-subject.ts';
import { endOrphanedBilling, type OrphanedBillingDependencies } from './end-orphaned-billing.ts';
import { reconcile } from './reconcile.ts';

export type StripeEventDependencies = OrphanedBillingDependencies;

/**
 * Reconciles the user that a Stripe event is about. Does nothing for a customer that isn't ours. Once per
 * renewal, it also checks that the user still exists.
 */
export async function handleStripeEvent(
  dependencies: StripeEventDependencies,
  { type, customerId, userId: metadataUserId, renewalUpcoming }: StripeEventSubject,
  now: Date,
): Promise<void> {
  const trigger = type;
  if (!renewalUpcoming) {
    const userId = metadataUserId ?? (await dependencies.billing.userIdOf(customerId));
    if (userId) await reconcile(dependencies, userId, now, { trigger });
    return;
  }
  // A subscription bought for one user can be billed to another user's customer. Here the customer's user
  // counts.
  const owner = await dependencies.billing.userIdOf(customerId);
  const userId = owner ?? metadataUserId;
  if (!userId) return;
  const orphan = { userId, customerId, customerNamesUser: owner !== undefined };
  if (await endOrphanedBilling(dependencies, orphan, now)) return;
  await reconcile(dependencies, userId, now, { trigger });
}
