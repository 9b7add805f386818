import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/cancel-subscription.ts';
import { mailCancelled, type MailCancelledDependencies } from '../accounts/mail-cancelled.ts';
import { cognitoSessionUser, type SessionUser, verifiedEmailOf } from '../adapters/cognito/session-user.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { noticeLimits } from '../adapters/dynamodb/notice-limits.ts';
import { sesMail } from '../adapters/ses.ts';
import { cancelPlus } from '../plans/cancel-plus.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import type { ReconcileDependencies } from '../plans/reconcile.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends ReconcileDependencies, MailCancelledDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
}

const trigger = routeLabel(endpoint);

export const cancelSubscription = (dependencies: Dependencies) => {
  const { plans, sessionUser } = dependencies;
  return route(endpoint, { sessionUser, plans }, async ({ subscription_id }, { user, profile, row, now }) => {
    if (!row) throw refusal('no-active-subscription');
    const { endsAt, ended } = await cancelPlus(dependencies, row, now, { trigger, subscription_id });
    await mailCancelled(dependencies, { id: user.id, email: verifiedEmailOf(profile) }, endsAt, now);
    return {
      success: true as const,
      current_period_end: endsAt,
      ...(ended && { ended: true as const }),
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
