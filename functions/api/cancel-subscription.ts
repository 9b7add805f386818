import { api } from '../../schemas/api.ts';
import { stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { isEntitling, isGivenByHand } from '../domain/decide-plan.ts';
import { hasExpired } from '../domain/plan.ts';
import { environment } from '../environment.ts';
import { billingCustomer, type PlanKeeping, reconcile } from '../reconcile.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';

export const cancelSubscription = ({ plans, billing }: PlanKeeping) => {
  /** Ends the subscription in Stripe; a Plus given by hand has none, and ends where its row is written. */
  const cancel = async (userId: string, subscriptionId: string | null, now: Date): Promise<void> => {
    const row = await plans.read(userId);
    if (!row) throw new Refusal('no-active-subscription');
    if (subscriptionId === null) {
      if (!isGivenByHand(row) || hasExpired(row, now)) throw new Refusal('no-active-subscription');
      if (row.plan_expires_at) throw new Refusal('already-cancelled');
      return;
    }
    const subscription = await billing.subscription(subscriptionId);
    // Somebody else's subscription answers as one that doesn't exist.
    if (!subscription || subscription.customerId !== billingCustomer(row) || !isEntitling(subscription)) {
      throw new Refusal('no-active-subscription');
    }
    if (subscription.endsAt !== undefined) throw new Refusal('already-cancelled');
    await billing.cancelAtPeriodEnd(subscription.id);
  };

  return route(api['cancel-subscription'], async ({ subscription_id }, { user, now }) => {
    await cancel(user.id, subscription_id, now);
    const reconciled = await reconcile({ plans, billing }, user.id, now, {
      endGrant: subscription_id === null,
    });
    if (!reconciled?.row.plan_expires_at) throw new Error('The cancelled plan came out without an end.');
    return { success: true as const, current_period_end: Date.parse(reconciled.row.plan_expires_at) / 1000 };
  });
};

const settings = environment('writePlans', 'stripe');
export const handler = cancelSubscription({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
});
