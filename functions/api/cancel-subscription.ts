import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/cancel-subscription.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { isNoticeDue } from '../accounts/is-notice-due.ts';
import { notifyAccount, type NotifyDependencies } from '../accounts/notify-account.ts';
import {
  cognitoSessionUser,
  type Profile,
  type SessionUser,
  verifiedEmailOf,
} from '../adapters/cognito/session-user.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type NoticeLimits, noticeLimits } from '../adapters/dynamodb/notice-limits.ts';
import { sesMail } from '../adapters/ses.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import { isEntitling, isPaymentDue, renewsBeforeEnd, type Subscription } from '../domain/subscription.ts';
import { subscriptionCancelledEmail } from '../emails/subscription-cancelled.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { reconcile, type ReconcileDependencies, withSubscription } from '../plans/reconcile.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends ReconcileDependencies, NotifyDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  notices: NoticeLimits;
  /** The site's origin. */
  siteUrl: string;
}

const trigger = routeLabel(endpoint);

export const cancelSubscription = (dependencies: Dependencies) => {
  const { billing, plans, sessionUser, notices, siteUrl } = dependencies;

  /** Schedules the end of a complimentary plan. Resolves with that end, in Unix seconds. */
  const cancelComplimentary = async (row: UserPlan, now: Date): Promise<number> => {
    if (!isComplimentary(row)) throw refusal('no-active-subscription');
    if (row.plan_expires_at) throw refusal('already-cancelled');
    const reconciled = await reconcile(dependencies, row.id, now, {
      trigger,
      cancelComplimentary: true,
      known: { row },
    });
    if (!reconciled?.row.plan_expires_at) throw refusal('no-active-subscription');
    return Date.parse(reconciled.row.plan_expires_at) / 1000;
  };

  /** Cancels at Stripe. Resolves with the canceled subscription and its end in Unix seconds. */
  const cancelAtStripe = async (
    subscription: Subscription,
    now: Date,
  ): Promise<{ cancelled: Subscription; endsAt: number }> => {
    const endNow = async (due: Subscription) => {
      // The paid period is over. Until the end of the unpaid period, Stripe would keep trying to collect.
      const cancelled = await billing.cancelUnpaid(due);
      return { cancelled, endsAt: Math.floor(now.getTime() / 1000) };
    };
    if (isPaymentDue(subscription)) return endNow(subscription);
    const cancelled = await billing.cancelAtPeriodEnd(subscription);
    // The subscription ended between the read and this call.
    if (!isEntitling(cancelled)) throw refusal('no-active-subscription');
    // The subscription was renewed in between, and would end a period later.
    if (isPaymentDue(cancelled)) return endNow(cancelled);
    return { cancelled, endsAt: cancelled.endsAt ?? cancelled.currentPeriodEnd };
  };

  /** Mails the owner, once for several cancellations in a row. */
  const mailCancelled = async (id: string, profile: Profile, endsAt: number, now: Date): Promise<void> => {
    if (!(await isNoticeDue(notices, 'cancel', id, now))) return;
    const end = new Date(endsAt * 1000);
    const about = { siteUrl, at: now, lastsUntil: end > now ? end : undefined };
    const owner = { id, email: verifiedEmailOf(profile) };
    await notifyAccount(
      dependencies,
      owner,
      (earlier) => subscriptionCancelledEmail({ ...about, earlier }),
      now,
    );
  };

  return route(endpoint, { sessionUser, plans }, async ({ subscription_id }, { user, profile, row, now }) => {
    // Changes made elsewhere, such as in Stripe's portal, must be known before a refusal.
    const reconciled =
      row && (await reconcile(dependencies, user.id, now, { trigger, known: { row }, onlyChanges: true }));
    if (!reconciled) throw refusal('no-active-subscription');
    // The search covers only the caller's own subscriptions: another user's id is refused like an unknown id.
    const subscription =
      // The row of a subscription that is scheduled to end has no subscription id.
      subscription_id === null
        ? activeSubscription(reconciled.subscriptions, reconciled.row)
        : reconciled.subscriptions.find(({ id }) => id === subscription_id);
    if (subscription_id === null && subscription?.endsAt === undefined) {
      const endsAt = await cancelComplimentary(reconciled.row, now);
      await mailCancelled(user.id, profile, endsAt, now);
      return { success: true as const, current_period_end: endsAt };
    }
    if (!subscription || !isEntitling(subscription)) throw refusal('no-active-subscription');
    // Until an end that support has set further away, the user would be charged.
    if (!renewsBeforeEnd(subscription)) throw refusal('already-cancelled');
    const { cancelled, endsAt } = await cancelAtStripe(subscription, now);
    const known = withSubscription(reconciled, cancelled);
    const after = await reconcile(dependencies, user.id, now, { trigger, known });
    await mailCancelled(user.id, profile, endsAt, now);
    return {
      success: true as const,
      current_period_end: endsAt,
      ...(after?.row.plan === 'free' && { ended: true as const }),
    };
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  cancelSubscription({
    ...planAdapters(environment),
    sessionUser: cognitoSessionUser(),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    notices: noticeLimits(environment.PLANS_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
