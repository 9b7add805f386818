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

/**
 * Cancels a user's plan at the end of the paid period, or at once a contract that gives no plan. Refuses as
 * `no-active-subscription` or `already-cancelled`. `row`: the user's row, read in this request.
 * `subscription_id`: as the user saw it. Null: a complimentary plan. Absent: the plan, whatever its basis.
 *
 * Resolves with the end, with whether Plus has `ended` already, because a payment was due and the paid period
 * was over, and with plan and subscriptions `after` it; undefined if the account was deleted meanwhile.
 */
export async function cancelPlus(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  now: Date,
  { trigger, subscription_id }: { trigger: string; subscription_id?: string | null },
) {
  // Changes made elsewhere, such as in Stripe's portal, must be known before a refusal.
  const options = { trigger, known: { row }, onlyChanges: true };
  const reconciled = await reconcile(dependencies, row.id, now, options);
  if (!reconciled) throw new Refusal('no-active-subscription');
  // The search covers only the user's own subscriptions: another user's id is refused like an unknown id.
  const subscription =
    // The row of a subscription that is scheduled to end has no subscription id.
    typeof subscription_id === 'string'
      ? reconciled.subscriptions.find(({ id }) => id === subscription_id)
      : activeSubscription(reconciled.subscriptions, reconciled.row);
  const open = isComplimentary(reconciled.row) ? undefined : reconciled.subscriptions.find(isOpenContract);
  if (open && (subscription === open || (!subscription && typeof subscription_id !== 'string'))) {
    return cancelAll(dependencies, reconciled, [open], now, trigger);
  }
  const sawComplimentary = subscription_id === null && subscription?.endsAt === undefined;
  if (sawComplimentary || (subscription_id === undefined && !subscription)) {
    return cancelComplimentary(dependencies, reconciled.row, now, trigger);
  }
  if (!subscription || !isEntitling(subscription)) throw new Refusal('no-active-subscription');
  // One that support has made beside it, or whose end it has set further away, would be charged all the same.
  const renewing = reconciled.subscriptions.filter((each) => isEntitling(each) && renewsBeforeEnd(each));
  if (renewing.length === 0) throw new Refusal('already-cancelled');
  return cancelAll(dependencies, reconciled, renewing, now, trigger);
}

async function cancelAll(
  dependencies: ReconcileDependencies,
  { row, subscriptions }: Reconciled,
  cancelled: readonly Subscription[],
  now: Date,
  trigger: string,
) {
  let known: Pick<Reconciled, 'row' | 'subscriptions'> | undefined = { row, subscriptions };
  for (const subscription of cancelled) {
    try {
      const changed = await cancelAtStripe(dependencies.billing, subscription);
      known = known && withSubscription(known, changed);
    } catch (error) {
      // Stripe may have recorded the cancellation and refused the end, which a task repeats.
      const read = await reconcile(dependencies, row.id, now, { trigger });
      const isRecorded = read?.subscriptions.some(({ id, ended }) => id === subscription.id && ended);
      if (!isRecorded) throw error;
      known = undefined;
    }
  }
  const after = await reconcile(dependencies, row.id, now, { trigger, known });
  const { subscriptions: left = [] } = after ?? known ?? {};
  const active = activeSubscription(left, row);
  const endsAt = active?.endsAt ?? active?.currentPeriodEnd ?? Math.floor(now.getTime() / 1000);
  return { endsAt, ended: after?.row.plan === 'free', after };
}

async function cancelComplimentary(
  dependencies: ReconcileDependencies,
  row: UserPlan,
  now: Date,
  trigger: string,
) {
  if (!isComplimentary(row)) throw new Refusal('no-active-subscription');
  if (row.plan_expires_at) throw new Refusal('already-cancelled');
  const options = { trigger, cancelComplimentary: true, known: { row } };
  const reconciled = await reconcile(dependencies, row.id, now, options);
  if (!reconciled?.row.plan_expires_at) throw new Refusal('no-active-subscription');
  const endsAt = Date.parse(reconciled.row.plan_expires_at) / 1000;
  return { endsAt, ended: false, after: reconciled };
}

/** Cancels at the period's end. If it is unpaid, at once: Stripe would try to collect until its end. */
async function cancelAtStripe(billing: ReconcileDependencies['billing'], subscription: Subscription) {
  if (isOpenContract(subscription) || isPaymentDue(subscription)) return billing.cancelUnpaid(subscription);
  const cancelled = await billing.cancelAtPeriodEnd(subscription);
  // The subscription ended between the read and this call.
  if (!isEntitling(cancelled)) throw new Refusal('no-active-subscription');
  // The subscription was renewed in between, and would end a period later.
  return isPaymentDue(cancelled) ? billing.cancelUnpaid(cancelled) : cancelled;
}
