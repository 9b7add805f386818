import type { Uses } from '../adapters/adapters.ts';
import { closingUntil } from '../domain/closing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { endBilling, endCustomer } from './end-billing.ts';
import type { ReconcileDependencies } from './reconcile.ts';

export type OrphanedBillingDependencies = ReconcileDependencies & Uses<'userPool'>;

/** Looks up a user. If there is none, enqueues a second check. */
export async function lookForUser(
  dependencies: OrphanedBillingDependencies,
  { userId, customerId }: { userId: string; customerId: string },
  now: Date,
): Promise<void> {
  if (await dependencies.userPool.has(userId)) return;
  const task = { work: 'check-user-again', customer_id: customerId, user_id: userId } as const;
  await enqueueTask(dependencies, task, new Error('The user is not in the user pool.'), now);
}

/**
 * Ends the billing of a user who is no longer in the pool, and removes the row: with an access token, a user
 * can be deleted at Cognito directly, which sends no event. Ends a customer's billing only if its mark or the
 * user's row connects the two. Resolves with false, and changes nothing, while the user is in the pool, and
 * for a user without a row and a mark.
 */
export async function endOrphanedBilling(
  dependencies: OrphanedBillingDependencies,
  { userId, customerId }: { userId: string; customerId: string },
  now: Date,
): Promise<boolean> {
  const { userPool, planTable, billing } = dependencies;
  if (await userPool.has(userId)) return false;
  const known = await planTable.read(userId);
  const isNamedByRow = known !== undefined && customerIdOf(known) === customerId;
  const owner = isNamedByRow ? undefined : await billing.ownerOf(customerId);
  const isMarked = owner?.kind === 'ours' && owner.userId === userId;
  if (!known && !isMarked) return false;
  // The row is closed first, as for a deletion by the user: a closed row accepts no new customer or checkout.
  const row = await planTable.close(userId, closingUntil(now));
  await endBilling(dependencies, row, now);
  if (isMarked) await endCustomer(dependencies, customerId, row, now);
  await planTable.remove(userId);
  metric('OrphansEnded');
  log.info('orphaned-billing-ended', { user: userId, customer: customerId });
  return true;
}
