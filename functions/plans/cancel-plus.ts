import type { Trigger } from '../../schemas/config/log-events.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import {
  isEntitling,
  isOpenContract,
  isPaymentDue,
  renewsBeforeEnd,
  type Subscription,
} from '../domain/subscription.ts';
import { Refusal } from '../runtime/refusal.ts';
import { reconcile, type Reconciled, type ReconcileDependencies, withSubscription } from './reconcile.ts';

export interface CancelledPlus {
  /** End of Plus, in Unix seconds. */
  endsAt: number;
  /** Whether Plus has ended already, because a payment was due and the paid period was over. */
  ended: boolean;
  /** Plan and subscriptions after it. Undefined if the account was deleted meanwhile. */
  after: Reconciled | undefined;
}

interface CancelOptions {
  trigger: Trigger;
  /**
   * The subscription that the user saw. Null: no renewing subscription, but a complimentary plan. Absent: the
   * plan, whatever it is based on.
   */
  subscription_id?: string | null;
}

/**
 * Cancels a user's plan at the end of the paid period, or at once a contract that gives no plan. Refuses as
 * `no-active-subscription` or `already-cancelled`. `row`: the user's row, read in this request.
 */
export async function cancelPlus(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  now: Date,
  { trigger, subscription_id }: CancelOptions,
): Promise<CancelledPlus> {
  const { billing } = dependencies;
  // Changes made elsewhere, such as in Stripe's portal, must be known before a refusal.
  const reconciled = await reconcile(dependencies, row.id, now, {
    trigger,
    known: { row },
    onlyChanges: true,
  });
  if (!reconciled) throw new Refusal('no-active-subscription');
  // The search covers only the user's own subscriptions: another user's id is refused like an unknown id.
  const subscription =
    // The row of a subscription that is scheduled to end has no subscription id.
    typeof subscription_id === 'string'
      ? reconciled.subscriptions.find(({ id }) => id === subscription_id)
      : activeSubscription(reconciled.subscriptions, reconciled.row);
  const open = isComplimentary(reconciled.row) ? undefined : reconciled.subscriptions.find(isOpenContract);
  if (open && (subscription === open || (!subscription && typeof subscription_id !== 'string'))) {
    const cancelled = await billing.cancelUnpaid(open);
    const known = withSubscription(reconciled, cancelled);
    const after = await reconcile(dependencies, row.id, now, { trigger, known });
    return { endsAt: Math.floor(now.getTime() / 1000), ended: true, after };
  }
  const sawComplimentary = subscription_id === null && subscription?.endsAt === undefined;
  if (sawComplimentary || (subscription_id === undefined && !subscription)) {
    return cancelComplimentary(dependencies, reconciled.row, now, trigger);
  }
  if (!subscription || !isEntitling(subscription)) throw new Refusal('no-active-subscription');
  // Until an end that support has set further away, the user would be charged.
  if (!renewsBeforeEnd(subscription)) throw new Refusal('already-cancelled');
  const { cancelled, endsAt } = await cancelAtStripe(dependencies, subscription, now);
  const known = withSubscription(reconciled, cancelled);
  const after = await reconcile(dependencies, row.id, now, { trigger, known });
  return { endsAt, ended: after?.row.plan === 'free', after };
}

/** Schedules the end of a complimentary plan. */
async function cancelComplimentary(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  now: Date,
  trigger: Trigger,
): Promise<CancelledPlus> {
  if (!isComplimentary(row)) throw new Refusal('no-active-subscription');
  if (row.plan_expires_at) throw new Refusal('already-cancelled');
  const options = { trigger, cancelComplimentary: true, known: { row } };
  const reconciled = await reconcile(dependencies, row.id, now, options);
  if (!reconciled?.row.plan_expires_at) throw new Refusal('no-active-subscription');
  const endsAt = Date.parse(reconciled.row.plan_expires_at) / 1000;
  return { endsAt, ended: false, after: reconciled };
}

/** Cancels at Stripe. Resolves with the canceled subscription and its end in Unix seconds. */
async function cancelAtStripe(
  { billing }: ReconcileDependencies,
  subscription: Subscription,
  now: Date,
): Promise<{ cancelled: Subscription; endsAt: number }> {
  const endNow = async (due: Subscription) => {
    // The paid period is over. Until the end of the unpaid period, Stripe would keep trying to collect.
    const cancelled = await billing.cancelUnpaid(due);
    return { cancelled, endsAt: Math.floor(now.getTime() / 1000) };
  };
  if (isPaymentDue(subscription)) return endNow(subscription);
  const cancelled = await billing.cancelAtPeriodEnd(subscription);
  // The subscription ended between the read and this call.
  if (!isEntitling(cancelled)) throw new Refusal('no-active-subscription');
  // The subscription was renewed in between, and would end a period later.
  if (isPaymentDue(cancelled)) return endNow(cancelled);
  return { cancelled, endsAt: cancelled.endsAt ?? cancelled.currentPeriodEnd };
}
