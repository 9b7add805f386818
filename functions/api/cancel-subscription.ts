import { api } from '../../schemas/api.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { governing, isEntitling, isGivenByHand, type Subscription } from '../domain/decide-plan.ts';
import { environment } from '../runtime/environment.ts';
import { type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { stillSignedIn } from '../runtime/require-session.ts';

export const cancelSubscription = ({
  accounts,
  ...keeping
}: PlanKeeping & { accounts: Pick<Accounts, 'emailOf'> }) => {
  /** Ends a Plus that was given by hand. Resolves with its end, in Unix seconds. */
  const endGrant = async (row: UserPlan, now: Date): Promise<number> => {
    if (!isGivenByHand(row)) throw new Refusal('no-active-subscription');
    if (row.plan_expires_at) throw new Refusal('already-cancelled');
    const reconciled = await reconcile(keeping, row.id, now, { endGrant: true });
    if (!reconciled?.row.plan_expires_at) throw new Refusal('no-active-subscription');
    return Date.parse(reconciled.row.plan_expires_at) / 1000;
  };

  /** Cancels a subscription. Resolves with its end, in Unix seconds. */
  const endOf = async (subscription: Subscription, now: Date): Promise<number> => {
    if (subscription.status === 'past_due') {
      // What was paid for is over. Left until the end of the period that wasn't, Stripe would go on trying to take it.
      await keeping.billing.endUnpaid(subscription);
      return Math.floor(now.getTime() / 1000);
    }
    const ending = await keeping.billing.cancelAtPeriodEnd(subscription.id);
    // Somebody ended it between the look and the call.
    if (!isEntitling(ending)) throw new Refusal('no-active-subscription');
    return ending.endsAt ?? ending.currentPeriodEnd;
  };

  return route(api['cancel-subscription'], async ({ subscription_id }, { user, now }) => {
    await stillSignedIn(accounts, user);
    // Whatever was done elsewhere is in the row before anything is said about it.
    const reconciled = await reconcile(keeping, user.id, now);
    if (!reconciled) throw new Refusal('no-active-subscription');
    if (subscription_id === null) {
      // The row of one that is going to end has no id to name it by.
      if (governing(reconciled.subscriptions, reconciled.row)?.endsAt !== undefined)
        throw new Refusal('already-cancelled');
      return { success: true as const, current_period_end: await endGrant(reconciled.row, now) };
    }
    // Looked for among the caller's own: somebody else's answers like one that doesn't exist.
    const subscription = reconciled.subscriptions.find(({ id }) => id === subscription_id);
    if (!subscription || !isEntitling(subscription)) throw new Refusal('no-active-subscription');
    if (subscription.endsAt !== undefined) throw new Refusal('already-cancelled');
    const until = await endOf(subscription, now);
    const after = await reconcile(keeping, user.id, now);
    return {
      success: true as const,
      current_period_end: until,
      ...(after?.row.plan === 'free' && { ended: true as const }),
    };
  });
};

const settings = environment('writePlans', 'stripe');
export const handler = cancelSubscription({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
});
