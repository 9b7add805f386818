import type { UserPool } from '../adapters/cognito/user-pool.ts';
import { closingUntil } from '../domain/closing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { log } from '../runtime/log.ts';
import { endBilling, endCustomer } from './end-billing.ts';
import type { ReconcileDependencies } from './reconcile.ts';

export interface OrphanedBillingDependencies extends ReconcileDependencies {
  userPool: Pick<UserPool, 'has'>;
}

/**
 * Ends the billing of a user who is no longer in the user pool, and removes the row. An access token is
 * enough to delete its user at Cognito itself, without our route, and Cognito tells nobody.
 *
 * `customerNamesUser`: whether the customer's metadata names the user. Resolves with false, and changes
 * nothing, while the user is in the pool.
 */
export async function endOrphanedBilling(
  dependencies: OrphanedBillingDependencies,
  {
    userId,
    customerId,
    customerNamesUser,
  }: { userId: string; customerId: string; customerNamesUser: boolean },
  now: Date,
): Promise<boolean> {
  const { userPool, plans } = dependencies;
  if (await userPool.has(userId)) return false;
  // Closed first, as where the user deletes the account: a closed row takes on no customer and no checkout.
  const row = await plans.close(userId, closingUntil(now));
  await endBilling(dependencies, row, now);
  if (customerNamesUser && customerId !== customerIdOf(row)) {
    await endCustomer(dependencies, customerId, row, now);
  }
  await plans.remove(userId);
  log.info('orphaned-billing-ended', { user: userId });
  return true;
}
