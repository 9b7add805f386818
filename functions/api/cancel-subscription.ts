import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/cancel-subscription.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { verifiedEmailOf } from '../domain/profile.ts';
import { cancelPlus } from '../plans/cancel-plus.ts';
import { planNoticeAdapters } from '../notices/plan-notice-adapters.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import type { ReconcileDependencies } from '../plans/reconcile.ts';
import type { PlanNoticeDependencies } from '../notices/send-plan-notices.ts';
import { sendPlanNoticesSoon } from '../notices/send-plan-notices-soon.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends ReconcileDependencies, PlanNoticeDependencies {
  planTable: ReconcileDependencies['planTable'];
  sessionUser: Pick<SessionUser, 'profile'>;
}

const trigger = routeLabel(endpoint);

export const cancelSubscription = (dependencies: Dependencies) => {
  const { planTable, sessionUser } = dependencies;
  return route(endpoint, { sessionUser, planTable }, async ({ subscription_id }, { profile, row, now }) => {
    if (!row) throw refusal('no-active-subscription');
    const cancelled = await cancelPlus(dependencies, row, now, { trigger, subscription_id });
    const { endsAt, ended, after } = cancelled;
    if (after) await sendPlanNoticesSoon(dependencies, after.row, async () => verifiedEmailOf(profile), now);
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
    ...planNoticeAdapters(environment),
    sessionUser: cognitoSessionUser(),
  }),
);
