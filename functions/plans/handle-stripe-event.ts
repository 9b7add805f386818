import type { StripeEventSubject } from '../domain/stripe-event-subject.ts';
import { log } from '../runtime/log.ts';
import { lookForUser, type OrphanedBillingDependencies } from './end-orphaned-billing.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { reconcile, type Reconciled } from './reconcile.ts';
import { userOfCustomer } from './user-of-customer.ts';

/**
 * Reconciles the user of a Stripe event, unless the customer isn't ours. Once per renewal, checks that the
 * user still exists: a missing one is looked up again an hour later, because the pool's list lags behind its
 * users.
 */
export async function handleStripeEvent(
  dependencies: OrphanedBillingDependencies,
  subject: StripeEventSubject,
  now: Date,
): Promise<Reconciled | undefined> {
  const { type, customerId, renewalUpcoming, chargeChanges, stuck, paid } = subject;
  // A subscription for one user can be billed to another's customer, whose user counts for a renewal.
  const userId =
    subject.userId !== undefined && !renewalUpcoming
      ? subject.userId
      : await userOfCustomer(dependencies, subject);
  if (userId === undefined) return undefined;
  for (const event of stuck) log.error(event, { user: userId, customer: customerId });
  if (renewalUpcoming) {
    try {
      await lookForUser(dependencies, { userId, customerId }, now);
    } catch (error) {
      const task = { work: 'check-user', customer_id: customerId, user_id: userId } as const;
      await enqueueTask(dependencies, task, error, now);
    }
  }
  const options = { trigger: type, previewsCharge: chargeChanges, readsPayment: paid };
  return reconcile(dependencies, userId, now, options);
}
