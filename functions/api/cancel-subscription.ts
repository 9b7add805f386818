import { api } from '../../schemas/api.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { isEntitling, isGivenByHand } from '../domain/decide-plan.ts';
import { environment } from '../environment.ts';
import { type PlanKeeping, reconcile } from '../reconcile.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';

export const cancelSubscription = (keeping: PlanKeeping) => {
  /** Ends a Plus that was given by hand. Resolves with its end, in Unix seconds. */
  const endGrant = async (row: UserPlan, now: Date): Promise<number> => {
    if (!isGivenByHand(row)) throw new Refusal('no-active-subscription');
    if (row.plan_expires_at) throw new Refusal('already-cancelled');
    const reconciled = await reconcile(keeping, row.id, now, { endGrant: true });
    if (!reconciled?.row.plan_expires_at) throw new Refusal('no-active-subscription');
    return Date.parse(reconciled.row.plan_expires_at) / 1000;
  };

  return route(api['cancel-subscription'], async ({ subscription_id }, { user, now }) => {
    // Whatever was done elsewhere is in the row before anything is said about it.
    const reconciled = await reconcile(keeping, user.id, now);
    if (!reconciled) throw new Refusal('no-active-subscription');
    if (subscription_id === null) {
      return { success: true as const, current_period_end: await endGrant(reconciled.row, now) };
    }
    // Looked for among the caller's own: somebody else's answers like one that doesn't exist.
    const subscription = reconciled.subscriptions.find(({ id }) => id === subscription_id);
    if (!subscription || !isEntitling(subscription)) throw new Refusal('no-active-subscription');
    if (subscription.endsAt !== undefined) throw new Refusal('already-cancelled');
    const { endsAt, currentPeriodEnd } = await keeping.billing.cancelAtPeriodEnd(subscription.id);
    await reconcile(keeping, user.id, now);
    return { success: true as const, current_period_end: endsAt ?? currentPeriodEnd };
  });
};

const settings = environment('writePlans', 'stripe');
export const handler = cancelSubscription({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
});
