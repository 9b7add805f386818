import type { UserPlan } from '../../schemas/rows/plan.ts';
import { activeSubscription } from '../domain/decide-plan.ts';
import { mayWithdraw } from '../domain/withdrawal.ts';
import { Refusal } from '../runtime/refusal.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { reconcile, type Reconciled, type ReconcileDependencies, withSubscription } from './reconcile.ts';

/**
 * Withdraws a user from the contract: refunds the subscription, and ends it at once. Does nothing if
 * repeated. Refuses as `withdrawal-over`. After a failure a task finishes: the subscription is marked first.
 */
export async function withdraw(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  now: Date,
  trigger: string,
): Promise<Reconciled | undefined> {
  const { billing } = dependencies;
  const options = { trigger, known: { row }, onlyChanges: true };
  const reconciled = await reconcile(dependencies, row.id, now, options);
  const subscription = reconciled && activeSubscription(reconciled.subscriptions, reconciled.row);
  // A second press, or the retry of a request whose answer was lost.
  const isWithdrawn = reconciled?.subscriptions.some(
    ({ ended, userId }) => ended === 'withdrawn' && userId === row.id,
  );
  if (!subscription && isWithdrawn) return reconciled;
  if (!subscription || !mayWithdraw(subscription, row.id, now)) throw new Refusal('withdrawal-over');
  try {
    const marked = await billing.markWithdrawn(subscription);
    const withdrawn = await billing.refundAndCancel(marked, subscription.createdAt);
    const known = withSubscription(reconciled, withdrawn);
    return await reconcile(dependencies, row.id, now, { trigger, known });
  } catch (error) {
    const task = { work: 'reconcile', customer_id: subscription.customerId, user_id: row.id } as const;
    await enqueueTask(dependencies, task, error, now);
    throw error;
  }
}
